// The average ROC curve of several folds, by vertical averaging: Fawcett 2006, "An introduction to
// ROC analysis", algorithm 3.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "crossfold/roc_curve.h"

namespace crossfold {

enum class AverageInterval {
  kNormal,    // mean +- z sd / sqrt(folds), cut at 0 and 1
  kBootstrap  // percentiles of the means over folds drawn with replacement
};

struct RocAverageOptions {
  int points = 101;  // at fpr 0, 1 / (points - 1), ..., 1
  AverageInterval interval = AverageInterval::kNormal;
  double confidence = 0.95;  // of each point for itself, not of the curve as a whole
  int samples = 1000;        // of the bootstrap
  std::uint64_t seed = 0;    // of the bootstrap
};

struct AveragedRocPoint {
  double fpr = 0, tpr = 0;                               // tpr: the mean over the folds
  double sd = std::numeric_limits<double>::quiet_NaN();  // n - 1; NaN for one fold
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
};

struct RocAverage {
  bool defined = false;
  std::string undefined;   // the reason, if not
  std::int64_t folds = 0;  // that have a curve; the others are left out
  std::vector<AveragedRocPoint> points;
  double auc = std::numeric_limits<double>::quiet_NaN();       // under the averaged curve
  double mean_auc = std::numeric_limits<double>::quiet_NaN();  // of the folds' own curves
  double sd_auc = std::numeric_limits<double>::quiet_NaN();    // NaN for one fold
};

// Returns the highest tpr of the curve at `fpr`; between its points the curve is a straight line.
// REQUIRES: the curve is defined, 0 <= fpr <= 1.
double TprAt(const RocCurve& curve, double fpr);

// The average is undefined if no curve is defined. Intervals need two folds or more. Training sets
// of folds overlap, so both kinds of interval are slightly too narrow. Throws Error for options out
// of range.
RocAverage AverageRocCurves(std::span<const RocCurve> curves,
                            const RocAverageOptions& options = {});

}  // namespace crossfold
