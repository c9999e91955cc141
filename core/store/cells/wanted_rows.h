// The rows of `wanted`.
#pragma once

#include <cstdint>
#include <string>

#include "store/cells/sqlite.h"

namespace crossfold {

// Cells that a run asked for.
struct WantedRange {
  std::int64_t series = 0;
  bool inner = false;
  std::string learner, dataset;  // names in the experiment
  std::int64_t first = 0, count = 0;
};

// More than any split has; sums of two do not overflow.
inline constexpr std::int64_t kMaxFolds = std::int64_t{1} << 40;

// Whether these can be the numbers of folds.
inline bool HasFolds(const WantedRange& range) {
  return range.first >= 0 && range.first < kMaxFolds && range.count > 0 && range.count < kMaxFolds;
}

// Writes rows of `wanted`. Of two ranges with the same start the longer one stays; a damaged one is
// replaced.
class WantedRows {
 public:
  explicit WantedRows(Database& db);
  void Put(std::int64_t run, const WantedRange& range);

 private:
  Statement find_, put_;
};

}  // namespace crossfold
