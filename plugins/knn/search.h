// The search for the nearest rows of an Index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "crossfold_plugin.hpp"
#include "index.h"
#include "kernels.h"
#include "metric.h"

namespace crossfold::knn {

// The rows that do not count for a query: those of its own fold, and those of kAbsent.
struct Folds {
  static constexpr std::int32_t kAbsent = -2;

  std::span<const std::int32_t> of_row;    // one per row of the index; empty = every row counts
  std::span<const std::int32_t> of_query;  // one per query

  bool Counts(std::uint32_t row, std::int32_t fold_of_query) const {
    return of_row[row] != fold_of_query && of_row[row] != kAbsent;
  }
};

// What is searched, and how.
struct Search {
  const Index* index;
  Metric metric;
  const Kernels* kernels;
  Folds folds = {};
};

// Finds the k nearest rows that count for each query (row-major, as the index has its rows),
// ordered by (key, row), and calls use(query, neighbours) once for each. Where fewer rows have a
// finite key, neighbours with infinite ones fill up. With more than one thread (of
// context.n_threads(); for many queries only) the calls of `use` come side by side in any order.
// Throws what `use` throws for the first query it throws for. REQUIRES: k >= 1.
using UseNeighbours = std::function<void(std::size_t query, std::span<const Neighbour> nearest)>;
void FindNearest(const Search& search, std::span<const double> queries, std::size_t n_queries,
                 std::size_t k, const plugin::Context& context, const UseNeighbours& use);

}  // namespace crossfold::knn
