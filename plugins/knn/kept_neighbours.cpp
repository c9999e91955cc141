#include "kept_neighbours.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace crossfold::knn {

bool KeptNeighbours::IsWorthKeeping(std::size_t n_queries) const {
  constexpr std::size_t kMostNeighbours = std::size_t{1} << 22;  // 64 MiB
  return n_queries <= kMostNeighbours / most_;
}

// By bytes, so that missing entries are equal to themselves.
bool KeptNeighbours::Has(std::span<const double> queries) const {
  return !neighbours_.empty() && queries.size() == queries_.size() &&
         std::memcmp(queries.data(), queries_.data(), queries.size_bytes()) == 0;
}

void KeptNeighbours::ForEach(const Search& search, std::vector<double> queries,
                             std::size_t n_queries, std::size_t k, const plugin::Context& context,
                             const UseNeighbours& use) {
  const std::lock_guard lock(mutex_);
  if (!Has(queries)) {
    std::vector<Neighbour> found(n_queries * most_);
    FindNearest(search, queries, n_queries, most_, context,
                [&](std::size_t query, std::span<const Neighbour> nearest) {
                  std::copy(nearest.begin(), nearest.end(), &found[query * most_]);
                });
    neighbours_ = std::move(found);
    queries_ = std::move(queries);
  }
  const std::span<const Neighbour> all(neighbours_);
  for (std::size_t query = 0; query < n_queries; ++query) use(query, all.subspan(query * most_, k));
}

}  // namespace crossfold::knn
