#include "added_variances.h"

#include <algorithm>

namespace crossfold::bundled {
namespace {

// Between them, a variance plus what is added is in the range of doubles.
constexpr double kLeastAdded = 1e-250;
constexpr double kMostAdded = 1e250;

}  // namespace

AddedVariances::AddedVariances(const GroupedRows& rows, const BayesParams& params)
    : smoothing_(params.var_smoothing), all_(LeftOutClass::OfAllRows(rows, params)) {
  for (std::size_t k = 0; k < rows.n_columns(); ++k) {
    candidates_.push_back({k, MostOverallVariance(rows, k, params)});
  }
  std::stable_sort(candidates_.begin(), candidates_.end(),
                   [](const Candidate& a, const Candidate& b) { return a.most > b.most; });
}

void AddedVariances::Find(const double* block, std::size_t n, double* added,
                          double* certain) const {
  std::fill_n(added, RoundedUp(n), 0.0);
  std::fill_n(certain, RoundedUp(n), 1.0);
  if (!(smoothing_ > 0)) return;
  for (const Candidate& each : candidates_) {
    // Neither this column nor a later one can exceed what every row has.
    if (*std::min_element(added, added + n) >= each.most) break;
    SupportedKernels()[0]->largest_without_one(
        {.x = block + each.column * GroupedRows::kBlockStride,
         .n_rows = n,
         .of_all = all_.constants(),
         .column = each.column,
         .largest = added,
         .certain = certain});
  }
  for (std::size_t i = 0; i < n; ++i) {
    added[i] *= smoothing_;
    if (!(added[i] > kLeastAdded && added[i] < kMostAdded)) certain[i] = 0;
  }
}

}  // namespace crossfold::bundled
