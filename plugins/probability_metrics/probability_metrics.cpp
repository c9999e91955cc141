// Metrics of predicted probabilities: see README.md.
#include "brier.h"
#include "calibration_error.h"
#include "crossfold_plugin.hpp"
#include "row_means.h"

using crossfold::probability_metrics::Brier;
using crossfold::probability_metrics::BrierCalibration;
using crossfold::probability_metrics::BrierRefinement;
using crossfold::probability_metrics::ExpectedCalibrationError;
using crossfold::probability_metrics::LogLoss;
using crossfold::probability_metrics::MaxCalibrationError;
using crossfold::probability_metrics::SphericalScore;
using crossfold::probability_metrics::TopKAccuracy;

CROSSFOLD_PLUGIN("crossfold.probability_metrics", "1.0.0", "The Crossfold Authors", "MIT", LogLoss,
                 Brier, BrierCalibration, BrierRefinement, ExpectedCalibrationError,
                 MaxCalibrationError, TopKAccuracy, SphericalScore)
