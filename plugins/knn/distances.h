// Distances from one row to a block of rows. Neighbours are compared by a key that grows with the
// distance and needs no root: whole-number data then have exact keys, so equal distances compare
// equal. Terms are added in feature order. Two different rows with a key below least_key() have
// lost their order.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace crossfold::knn {

// Rows side by side in a block: entry [feature * kLanes + lane].
inline constexpr std::size_t kLanes = 8;
using LaneKeys = std::array<double, kLanes>;

struct Manhattan {
  static constexpr double kLeastKey = 0;
  double Add(double key, double difference) const { return key + std::abs(difference); }
  double Length(double key) const { return key; }
};
struct SquaredEuclidean {
  static constexpr double kLeastKey = 0;
  double Add(double key, double difference) const { return key + difference * difference; }
  double Length(double key) const { return std::sqrt(key); }
};
struct Chebyshev {
  static constexpr double kLeastKey = 0;
  double Add(double key, double difference) const { return std::max(key, std::abs(difference)); }
  double Length(double key) const { return key; }
};
struct PowerSum {
  static constexpr double kLeastKey = std::numeric_limits<double>::min();
  double p;
  double Add(double key, double difference) const {
    return key + std::pow(std::abs(difference), p);
  }
  double Length(double key) const { return std::pow(key, 1 / p); }
};

// A distance that adds up one term a feature.
template <class Term>
struct SumOver {
  Term term;

  LaneKeys Keys(const double* block, std::span<const double> query) const {
    LaneKeys keys{};
    for (std::size_t j = 0; j < query.size(); ++j) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        keys[lane] = term.Add(keys[lane], block[j * kLanes + lane] - query[j]);
      }
    }
    return keys;
  }
  double Length(double key) const { return term.Length(key); }
  static constexpr double least_key() { return Term::kLeastKey; }
};

// How Gower's coefficient compares two entries of a feature.
struct GowerFeature {
  bool nominal = false;      // 0 if equal, 1 if not; otherwise |difference| * inverse_range
  double inverse_range = 0;  // 0 = the training rows are all equal
};

// The mean over the features that both rows have; rows with none in common are 1 apart.
struct Gower {
  std::span<const GowerFeature> features;

  LaneKeys Keys(const double* block, std::span<const double> query) const {
    LaneKeys sums{}, counts{};
    for (std::size_t j = 0; j < query.size(); ++j) {
      if (std::isnan(query[j])) continue;
      const GowerFeature& feature = features[j];
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const double entry = block[j * kLanes + lane];
        if (std::isnan(entry)) continue;
        const double difference = std::abs(entry - query[j]);
        sums[lane] +=
            feature.nominal ? (difference == 0 ? 0.0 : 1.0) : difference * feature.inverse_range;
        counts[lane] += 1;
      }
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      sums[lane] = counts[lane] > 0 ? sums[lane] / counts[lane] : 1;
    }
    return sums;
  }
  double Length(double key) const { return key; }
  static constexpr double least_key() { return 0; }
};

}  // namespace crossfold::knn
