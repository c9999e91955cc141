#include "crossfold/stats/paired_proportions.h"

#include <algorithm>
#include <cmath>

#include "analysis/stats/distributions.h"
#include "analysis/stats/refuse_argument.h"
#include "analysis/stats/undefined.h"

namespace crossfold::stats {

PairedProportions ComparePaired(std::int64_t only_first, std::int64_t only_second, std::int64_t n,
                                double confidence) {
  constexpr char kAttempt[] = "compare two shares of the same rows";
  if (only_first < 0 || only_second < 0 || n < 0) {
    RefuseArgument(kAttempt, "a count is negative", "counts are 0 or more");
  }
  if (only_first > n - only_second) {
    RefuseArgument(kAttempt, "more rows differ than there are", "count each row once");
  }
  if (!(confidence > 0 && confidence < 1)) {
    RefuseArgument(kAttempt, "the confidence is outside (0, 1)", "use 0.95 for 95 %");
  }
  if (n == 0) return {false, "there are no rows", kUndefined, kUndefined, kUndefined};
  const auto b = static_cast<double>(only_first);
  const auto c = static_cast<double>(only_second);
  const double adjusted_n = static_cast<double>(n) + 2;
  const double centre = (b - c) / adjusted_n;
  const double differing = (b + c + 1) / adjusted_n;
  const double half =
      TwoSidedNormalQuantile(confidence) * std::sqrt((differing - centre * centre) / adjusted_n);
  return {true, "", (b - c) / static_cast<double>(n), std::max(centre - half, -1.0),
          std::min(centre + half, 1.0)};
}

}  // namespace crossfold::stats
