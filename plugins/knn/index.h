// The training rows, laid out for finding the nearest of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crossfold_plugin.hpp"
#include "distances.h"
#include "nearest.h"
#include "params.h"
#include "rows.h"
#include "space.h"

namespace crossfold::knn {

// Blocks of kLanes rows, feature by feature within a block, so that the distances from one row to a
// whole block are computed side by side, each still summed in feature order.
class Blocks {
 public:
  // REQUIRES: entries.size() = n_rows * n_features.
  Blocks(std::span<const double> entries, std::size_t n_rows, std::size_t n_features)
      : n_rows_(n_rows), n_features_(n_features) {
    entries_.resize(num_blocks() * kLanes * n_features);
    for (std::size_t i = 0; i < n_rows; ++i) {
      double* block = entries_.data() + (i / kLanes) * kLanes * n_features;
      for (std::size_t j = 0; j < n_features; ++j) {
        block[j * kLanes + i % kLanes] = entries[i * n_features + j];
      }
    }
  }

  std::size_t num_rows() const { return n_rows_; }
  std::size_t num_features() const { return n_features_; }
  std::size_t num_blocks() const { return (n_rows_ + kLanes - 1) / kLanes; }
  // Rows of block b; the other lanes are padding.
  std::size_t rows_in(std::size_t b) const { return std::min(kLanes, n_rows_ - b * kLanes); }
  const double* block(std::size_t b) const { return entries_.data() + b * kLanes * n_features_; }
  double entry(std::size_t i, std::size_t j) const {
    return block(i / kLanes)[j * kLanes + i % kLanes];
  }
  // Whether row i has exactly the features of the query.
  bool IsEqual(std::size_t i, std::span<const double> query) const {
    for (std::size_t j = 0; j < n_features_; ++j) {
      if (entry(i, j) != query[j]) return false;
    }
    return true;
  }

 private:
  std::size_t n_rows_, n_features_;
  std::vector<double> entries_;
};

// Calls use(metric) with the metric of `params`; `gower` as the space of the rows has it.
template <class Use>
void WithMetric(const Params& params, std::span<const GowerFeature> gower, Use&& use) {
  switch (params.distance) {
    case Distance::kManhattan:
      return use(SumOver<Manhattan>{});
    case Distance::kEuclidean:
    case Distance::kMahalanobis:  // of rows that the space has changed
      return use(SumOver<SquaredEuclidean>{});
    case Distance::kChebyshev:
      return use(SumOver<Chebyshev>{});
    case Distance::kMinkowski:
      // The library's pow may round differently from these.
      if (params.p == 1) return use(SumOver<Manhattan>{});
      if (params.p == 2) return use(SumOver<SquaredEuclidean>{});
      return use(SumOver<PowerSum>{{params.p}});
    case Distance::kGower:
      return use(Gower{gower});
  }
}

// Finds, for query rows (row-major, as the blocks hold theirs), the k nearest rows, nearest first,
// and calls use(query, neighbours). Rows for which skip(query, position) is true do not count.
// Throws Error where the order of different rows is lost. REQUIRES: k >= 1, and at least k rows
// count for every query.
template <class Metric, class Skip, class Use>
void FindNearest(const Metric& metric, const Blocks& blocks, std::span<const std::int64_t> row_ids,
                 std::span<const double> queries, std::size_t n_queries, std::size_t k,
                 const plugin::Context& context, Skip&& skip, Use&& use) {
  // So many queries run side by side while a block is in the cache.
  constexpr std::size_t kTile = 16;
  const std::size_t d = blocks.num_features();
  std::vector<NearestK> nearest(kTile, NearestK(k));
  std::vector<Neighbour> neighbours;
  for (std::size_t first = 0; first < n_queries; first += kTile) {
    context.Progress(static_cast<double>(first) / static_cast<double>(n_queries));
    const std::size_t size = std::min(kTile, n_queries - first);
    for (std::size_t b = 0; b < blocks.num_blocks(); ++b) {
      for (std::size_t i = 0; i < size; ++i) {
        const LaneKeys keys = metric.Keys(blocks.block(b), queries.subspan((first + i) * d, d));
        for (std::size_t lane = 0; lane < blocks.rows_in(b); ++lane) {
          if (keys[lane] > nearest[i].worst_key()) continue;
          const std::size_t position = b * kLanes + lane;
          if (skip(first + i, position)) continue;
          if (keys[lane] < Metric::least_key() &&
              !blocks.IsEqual(position, queries.subspan((first + i) * d, d))) {
            throw plugin::Error(CF_E_NUMERIC,
                                "the distance of two different rows vanishes in the sum of powers; "
                                "use a smaller p or rescale the features");
          }
          nearest[i].Offer({keys[lane], row_ids[position], static_cast<std::int64_t>(position)});
        }
      }
    }
    for (std::size_t i = 0; i < size; ++i) {
      nearest[i].Take(neighbours);
      use(first + i, std::span<const Neighbour>(neighbours));
    }
  }
}

}  // namespace crossfold::knn
