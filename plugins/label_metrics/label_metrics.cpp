// Metrics over predicted labels: see README.md.
#include "accuracy.h"
#include "agreement.h"
#include "class_ratio.h"
#include "cost.h"
#include "crossfold_plugin.hpp"
#include "likelihood_ratio.h"

namespace crossfold::bundled {

using Precision = ClassRatio<PrecisionRatio>;
using Recall = ClassRatio<RecallRatio>;
using Specificity = ClassRatio<SpecificityRatio>;
using FalsePositiveRate = ClassRatio<FalsePositiveRatio>;
using FBeta = ClassRatio<FBetaRatio>;
using F1 = ClassRatio<F1Ratio>;
using Jaccard = ClassRatio<JaccardRatio>;

}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.label_metrics", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::Accuracy, crossfold::bundled::ErrorRate,
                 crossfold::bundled::BalancedAccuracy, crossfold::bundled::GMean,
                 crossfold::bundled::Precision, crossfold::bundled::Recall,
                 crossfold::bundled::Specificity, crossfold::bundled::FalsePositiveRate,
                 crossfold::bundled::FBeta, crossfold::bundled::F1, crossfold::bundled::Jaccard,
                 crossfold::bundled::MatthewsCorrelation, crossfold::bundled::CohenKappa,
                 crossfold::bundled::PositiveLikelihoodRatio,
                 crossfold::bundled::NegativeLikelihoodRatio, crossfold::bundled::YoudenJ,
                 crossfold::bundled::Cost, crossfold::bundled::RowCost)
