// Calibration: maps learned from out-of-fold probabilities that turn a learner's probabilities into
// calibrated ones.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "crossfold/dataset.h"
#include "crossfold/outcome.h"
#include "crossfold/stats/isotonic_regression.h"
#include "crossfold/stats/platt_scaling.h"

namespace crossfold {

enum class CalibrationMethod {
  kPlatt,    // a sigmoid of the log-odds
  kIsotonic  // a non-decreasing function of the probability
};

// Two classes have one map, which is that of the second class. More classes have one map each, of
// the class against the rest. Only the list of the method is filled.
struct Calibration {
  bool defined = false;
  std::string undefined;  // the reason, if not
  CalibrationMethod method = CalibrationMethod::kPlatt;
  std::vector<stats::PlattScaling> platt;
  std::vector<stats::IsotonicRegression> isotonic;
};

// Number of maps for this number of classes.
std::size_t NumCalibrationMaps(std::size_t n_classes);

// Fits the maps to a prediction for rows of `data`, with the weights of `data`. Undefined if a
// class has no row, or all rows. Throws Error if the prediction has no probabilities or is not for
// these rows.
Calibration FitCalibration(const Dataset& data, const Prediction& prediction,
                           CalibrationMethod method);

// The prediction with calibrated probabilities, and the most probable class (ties to the lower
// index) as its labels. With more than two classes the results of the maps are divided by their sum
// (B. Zadrozny and C. Elkan, "Transforming classifier scores into accurate multiclass probability
// estimates", KDD 2002, 694-699); if all are 0, every class gets the same probability. REQUIRES:
// `calibration` is defined and has the maps for the prediction's classes. Throws Error without
// probabilities.
Prediction Calibrate(const Prediction& prediction, const Calibration& calibration);

// The mean of the probabilities of predictions for the same rows, and its most probable classes.
// Throws Error if they differ in rows or classes, or if one of them has no probabilities.
Prediction MeanPrediction(const std::vector<Prediction>& predictions);

}  // namespace crossfold
