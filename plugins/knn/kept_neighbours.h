// The nearest rows of the queries that came last, for a path over k: each k takes the first k.
#pragma once

#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

#include "metric.h"
#include "search.h"

namespace crossfold::knn {

// Several threads may use one object.
class KeptNeighbours {
 public:
  // `most` is the largest k that will be asked for. REQUIRES: most >= 1.
  explicit KeptNeighbours(std::size_t most) : most_(most) {}

  // Calls use(query, neighbours) as FindNearest does for these queries and k, one after the other,
  // but searches only if the last queries were others. REQUIRES: k <= most; all calls have the
  // same search.
  void ForEach(const Search& search, std::vector<double> queries, std::size_t n_queries,
               std::size_t k, const plugin::Context& context, const UseNeighbours& use);

  // Whether the neighbours of `n_queries` queries are worth their memory.
  bool IsWorthKeeping(std::size_t n_queries) const;

 private:
  bool Has(std::span<const double> queries) const;

  const std::size_t most_;
  std::mutex mutex_;
  std::vector<double> queries_;        // whose neighbours are kept
  std::vector<Neighbour> neighbours_;  // most_ of each query
};

}  // namespace crossfold::knn
