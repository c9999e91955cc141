// Compares two models that were tested on the same rows, by the rows on which only one of them is
// right.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace crossfold::stats {

enum class McNemarMethod {
  kExact,  // binomial, valid for any counts; conservative
  kMidP,   // exact p minus the probability of the observed counts: M. W. Fagerland, S. Lydersen,
           // P. Laake 2013, BMC Med. Res. Methodol. 13:91
  kChiSquared,  // (b - c)^2 / (b + c), df 1: Q. McNemar 1947, Psychometrika 12, 153-157
  kCorrected    // max(|b - c| - 1, 0)^2 / (b + c): A. L. Edwards 1948, Psychometrika 13, 185-187
};

struct McNemarTest {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  bool defined = false;
  std::string undefined;                 // why not; p is then 1 by convention
  double statistic = kNone, df = kNone;  // for the two chi-squared methods
  double p = kNone;
};

// `only_first`, `only_second`: rows on which only that model is right (b and c). If both are 0, the
// models never differ and nothing was tested. Raises Error for negative counts and for counts above
// 2^52.
McNemarTest McNemar(std::int64_t only_first, std::int64_t only_second,
                    McNemarMethod method = McNemarMethod::kExact);

}  // namespace crossfold::stats
