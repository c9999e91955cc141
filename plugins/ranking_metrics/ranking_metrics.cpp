// Metrics of how well predicted probabilities rank the rows: see README.md.
#include "crossfold_plugin.hpp"
#include "equal_error_rate.h"
#include "lift.h"
#include "precision_recall.h"
#include "roc_auc.h"

using crossfold::ranking_metrics::AveragePrecision;
using crossfold::ranking_metrics::EqualErrorRate;
using crossfold::ranking_metrics::Gini;
using crossfold::ranking_metrics::Lift;
using crossfold::ranking_metrics::PrAuc;
using crossfold::ranking_metrics::RocAuc;

CROSSFOLD_PLUGIN("crossfold.ranking_metrics", "1.0.0", "The Crossfold Authors", "MIT", RocAuc, Gini,
                 AveragePrecision, PrAuc, EqualErrorRate, Lift)
