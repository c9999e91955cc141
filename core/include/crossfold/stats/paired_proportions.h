// The difference of two shares of the same rows, such as the accuracies of two models on one test
// set. The functions are pure.
#pragma once

#include <cstdint>
#include <string>

namespace crossfold::stats {

struct PairedProportions {
  bool defined = false;
  std::string undefined;                     // the reason
  double difference = 0, low = 0, high = 0;  // share of the first minus that of the second
};

// `only_first` of n rows are right for the first model only, `only_second` for the second only. The
// interval is Wald's after adding 1/2 to each of the four cells (Agresti and Min 2005, "Simple
// improved confidence intervals for comparing matched proportions", Statistics in Medicine 24,
// 729-740), cut to [-1, 1]. It is undefined without rows. Throws Error for negative counts, for
// more differing rows than rows, and for a confidence outside (0, 1).
PairedProportions ComparePaired(std::int64_t only_first, std::int64_t only_second, std::int64_t n,
                                double confidence);

}  // namespace crossfold::stats
