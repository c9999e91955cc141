// Tests whether several models are right equally often on the same rows.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace crossfold::stats {

struct CochranTest {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  bool defined = false;
  std::string undefined;  // why not
  std::int64_t rows = 0;
  std::vector<std::int64_t> correct;  // right rows of each model
  double statistic = kNone, df = kNone, p = kNone;
};

// W. G. Cochran 1950, Biometrika 37, 256-266: Q, chi-squared with models - 1 degrees of freedom;
// for two models it is McNemar's test without correction. `right` holds the rows one after another,
// each with one entry per model: 1 = right, 0 = wrong. The test is undefined without rows, and
// (with p = 1 by convention) if the models agree on every row. Raises Error for fewer than two
// models, for other entries, and if the entries do not fill whole rows.
CochranTest CochranQ(std::span<const std::uint8_t> right, std::size_t models);

}  // namespace crossfold::stats
