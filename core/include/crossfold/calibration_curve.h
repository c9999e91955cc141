// The reliability diagram: predicted probabilities against observed shares. Murphy and Winkler
// 1977, "Reliability of subjective probability forecasts of precipitation and temperature".
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "crossfold/scored_rows.h"

namespace crossfold {

enum class Binning {
  kUniform,  // bins of equal width
  kQuantile  // bins of nearly equal weight; equal scores are never parted
};

struct CalibrationOptions {
  Binning binning = Binning::kUniform;
  int bins = 10;
  double confidence = 0.95;  // of the intervals
};

// The scores in (low, high]; the first bin holds 0, too.
struct CalibrationBin {
  double low = 0, high = 0;
  std::int64_t rows = 0;  // that have a score in the bin, each counted once
  double weight = 0;      // of all scores
  double mean_predicted = 0, observed = 0;
  // Wilson 1927 with n = (sum w)^2 / sum w^2 r over the scores of the bin, where r is how many
  // scores their row has in the whole curve: what they say of its class is one observation, which
  // counts in a bin by the share of the scores that are there. That is the number of rows if each
  // is scored once, and Kish's effective sample size (1965) if these have weights.
  double observed_low = 0, observed_high = 0;
};

struct CalibrationCurve {
  bool defined = false;
  std::string undefined;             // the reason, if not
  std::vector<CalibrationBin> bins;  // those that hold rows
  // Mean and largest |observed - mean_predicted|, the mean weighted by the bins: Naeini, Cooper and
  // Hauskrecht 2015, "Obtaining well calibrated probabilities using Bayesian binning".
  double expected_error = std::numeric_limits<double>::quiet_NaN();
  double largest_error = std::numeric_limits<double>::quiet_NaN();
};

// The curve is undefined if no row has a weight; one class alone is enough. Throws Error if a score
// is not a probability, for fewer than 1 or more than 10000 bins, and for a confidence outside (0,
// 1). An edge between quantile bins is the smallest score whose cumulative weight reaches their
// share.
CalibrationCurve DrawCalibrationCurve(const ScoredRows& rows,
                                      const CalibrationOptions& options = {});

}  // namespace crossfold
