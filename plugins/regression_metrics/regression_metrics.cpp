// Metrics over predicted values: see README.md.
#include "crossfold_plugin.hpp"
#include "error_order.h"
#include "explained.h"
#include "mean_loss.h"

namespace crossfold::bundled {

using Mse = MeanLoss<SquaredLoss>;
using Rmse = MeanLoss<RootSquaredLoss>;
using Mae = MeanLoss<AbsoluteLoss>;
using Mape = MeanLoss<RelativeLoss>;
using Pinball = MeanLoss<PinballLoss>;
using Rae = RelativeError<AbsoluteComparison>;
using Rrse = RelativeError<RootSquaredComparison>;

}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.regression_metrics", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::Mse, crossfold::bundled::Rmse, crossfold::bundled::Mae,
                 crossfold::bundled::MedianAbsoluteError, crossfold::bundled::Mape,
                 crossfold::bundled::RSquared, crossfold::bundled::ExplainedVariance,
                 crossfold::bundled::Pinball, crossfold::bundled::MaxError, crossfold::bundled::Rae,
                 crossfold::bundled::Rrse)
