#include "metric.h"

#include <array>
#include <cmath>
#include <limits>

namespace crossfold::knn {
namespace {

using BlockKeys = std::array<double, kBlockRows>;

// Returns the mean over the features that both rows have; rows with none in common are 1 apart.
BlockKeys GowerBlock(std::span<const GowerFeature> features, const double* block,
                     const double* query) {
  BlockKeys sums{}, counts{};
  for (std::size_t j = 0; j < features.size(); ++j) {
    if (std::isnan(query[j])) continue;
    for (std::size_t row = 0; row < kBlockRows; ++row) {
      const double entry = block[j * kBlockRows + row];
      if (std::isnan(entry)) continue;
      const double difference = std::abs(entry - query[j]);
      sums[row] += features[j].nominal ? (difference == 0 ? 0.0 : 1.0)
                                       : difference * features[j].inverse_range;
      counts[row] += 1;
    }
  }
  for (std::size_t row = 0; row < kBlockRows; ++row) {
    sums[row] = counts[row] > 0 ? sums[row] / counts[row] : 1;
  }
  return sums;
}

BlockKeys PowerBlock(double p, std::size_t n_features, const double* block, const double* query) {
  BlockKeys keys{};
  for (std::size_t j = 0; j < n_features; ++j) {
    for (std::size_t row = 0; row < kBlockRows; ++row) {
      keys[row] += std::pow(std::abs(block[j * kBlockRows + row] - query[j]), p);
    }
  }
  return keys;
}

// block_keys(block, query) for every block and query of the tile.
template <class Make>
void FillTile(const RealTile& tile, double* keys, const Make& block_keys) {
  for (std::size_t b = 0; b < tile.n_blocks; ++b) {
    const double* block = tile.blocks + b * kBlockRows * tile.n_features;
    for (std::size_t q = 0; q < kQueryGroup; ++q) {
      const BlockKeys made = block_keys(block, tile.queries + q * tile.n_features);
      for (std::size_t row = 0; row < kBlockRows; ++row) {
        keys[q * kTileRows + b * kBlockRows + row] = made[row];
      }
    }
  }
}

Form FormOf(const Params& params) {
  switch (params.distance) {
    case Distance::kManhattan:
      return Form::kAbsolute;
    case Distance::kChebyshev:
      return Form::kLargest;
    case Distance::kMinkowski:
      // The library's pow may round differently from these.
      if (params.p == 1) return Form::kAbsolute;
      return params.p == 2 ? Form::kSquares : Form::kPowers;
    case Distance::kGower:
      return Form::kGower;
    case Distance::kEuclidean:
    case Distance::kMahalanobis:
      break;
  }
  return Form::kSquares;
}

}  // namespace

Metric Metric::Of(const Params& params, std::span<const GowerFeature> gower) {
  return {FormOf(params), params.p, gower};
}

double Metric::Length(double key) const {
  if (form_ == Form::kSquares) return std::sqrt(key);
  return form_ == Form::kPowers ? std::pow(key, 1 / p_) : key;
}

double Metric::least_key() const {
  return form_ == Form::kPowers ? std::numeric_limits<double>::min() : 0;
}

void Metric::PowerKeys(const RealTile& tile, double* keys) const {
  FillTile(tile, keys, [&](const double* block, const double* query) {
    return PowerBlock(p_, tile.n_features, block, query);
  });
}

void Metric::GowerKeys(const RealTile& tile, double* keys) const {
  FillTile(tile, keys, [&](const double* block, const double* query) {
    return GowerBlock(gower_, block, query);
  });
}

void Metric::Keys(const Kernels& kernels, const RealTile& tile, double* keys) const {
  switch (form_) {
    case Form::kAbsolute:
      return kernels.absolute(tile, keys);
    case Form::kSquares:
      return kernels.squares(tile, keys);
    case Form::kLargest:
      return kernels.largest(tile, keys);
    case Form::kPowers:
      return PowerKeys(tile, keys);
    case Form::kGower:
      return GowerKeys(tile, keys);
  }
}

}  // namespace crossfold::knn
