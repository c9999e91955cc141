// What the splits of a node are worth, and which of them is made.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "columns.h"
#include "crossfold_plugin/random.hpp"
#include "grow.h"
#include "impurity.h"
#include "split_search.h"
#include "sweep.h"

namespace crossfold::bundled::tree {

inline bool TriesAllInOrder(const GrowOptions& options) {
  return options.features_per_node == 0 && !options.ties_by_draw;
}

// Calls try_feature(j) for the features that a node looks at, in that order. It returns false if
// the feature is constant at the node.
template <class TryFeature>
void TryFeaturesOfNode(const GrowOptions& options, std::size_t n_features, plugin::Random& random,
                       TryFeature&& try_feature) {
  if (TriesAllInOrder(options)) {
    for (std::size_t j = 0; j < n_features; ++j) try_feature(j);
    return;
  }
  std::vector<std::size_t> left(n_features);
  for (std::size_t j = 0; j < n_features; ++j) left[j] = j;
  std::int64_t wanted = options.features_per_node == 0 ? static_cast<std::int64_t>(n_features)
                                                       : options.features_per_node;
  while (wanted > 0 && !left.empty()) {
    const auto draw = static_cast<std::size_t>(random.Below(left.size()));
    std::swap(left[draw], left.back());
    if (try_feature(left.back())) --wanted;
    left.pop_back();
  }
}

// The middle of two neighbouring values of a node, less than `high`.
inline double MiddleBetween(double low, double high) {
  // Halved first: the sum of two large numbers may not exist. Rounding may reach `high`.
  const double middle =
      std::abs(low) < 1e300 && std::abs(high) < 1e300 ? (low + high) / 2 : low / 2 + high / 2;
  return middle < high ? middle : low;
}

// `known` is always the sums of the rows whose entry of the feature is known.
template <class Impurity>
class SplitRating {
 public:
  // `n_sums`: see Target. Both references must outlive it.
  SplitRating(const GrowOptions& options, const Impurity& impurity, std::size_t n_sums)
      : options_(options), impurity_(impurity), n_sums_(n_sums) {}

  // Gains that differ by less than `tolerance` (times the weight) are equal.
  void StartNode(double weight, std::span<const double> sums, double tolerance) {
    weight_ = weight;
    sums_ = sums;
    tolerance_ = tolerance;
  }

  // Minimum weight of each side of a threshold.
  double MinSide(ColumnKind kind, std::span<const double> known) const {
    if (!IsCorrected(kind)) return options_.min_leaf;
    const double tenth =
        0.1 * WeightOf<Impurity>(known.data(), known.size()) / static_cast<double>(n_sums_);
    return std::max(options_.min_leaf, std::min(tenth, 25.0));
  }

  // Decrease of the impurity, times the known fraction, times the weight of the node.
  double Decrease(std::span<const double> known, double child_impurity) const {
    if (Impurity::kClasses && options_.missing_gain == MissingGain::kAllRows) {
      const double share = WeightOf<Impurity>(known.data(), known.size()) / weight_;
      return share * (impurity_(sums_.data(), sums_.size()) - child_impurity);
    }
    return impurity_(known.data(), known.size()) - child_impurity;
  }

  // Sets gain and merit; false if there is no gain.
  bool Rate(double decrease, double penalty, std::span<const double> children,
            std::span<const double> known, Candidate& c) const {
    if (!(decrease > tolerance_)) return false;
    c.gain = decrease / weight_ - penalty;
    c.merit = c.gain;
    if (!(c.gain > 0)) return false;
    if (options_.criterion != Criterion::kGainRatio) return true;
    std::vector<double> parts(children.begin(), children.end());
    parts.push_back(weight_ - WeightOf<Impurity>(known.data(), known.size()));
    const double information = SplitInformation(parts, weight_);
    c.merit = information > 0 ? c.gain / information : 0;
    return c.merit > 0;
  }

  // `left_weight` matters for gain ratios only.
  bool RateThreshold(ColumnKind kind, std::size_t n_tried, double decrease, double left_weight,
                     std::span<const double> known, Candidate& c) const {
    c.kind = NodeKind::kThreshold;
    const double penalty =
        IsCorrected(kind) ? std::log2(static_cast<double>(n_tried)) / weight_ : 0;
    const double weight = WeightOf<Impurity>(known.data(), known.size());
    const std::array<double, 2> children = {left_weight, weight - left_weight};
    return Rate(decrease, penalty, children, known, c);
  }

  // `bins`: levels x sums. Sets c.n_values; false if there is no split.
  bool RateLevels(std::span<const double> bins, std::span<const double> known, Candidate& c) const {
    const std::size_t n_levels = bins.size() / n_sums_;
    std::vector<double> weights(n_levels);
    double summed = 0;
    std::size_t large_enough = 0;
    for (std::size_t level = 0; level < n_levels; ++level) {
      weights[level] = WeightOf<Impurity>(bins.data() + level * n_sums_, n_sums_);
      if (weights[level] <= 0) continue;
      ++c.n_values;
      if (weights[level] >= options_.min_leaf - kWeightSlack) ++large_enough;
      summed += impurity_(bins.data() + level * n_sums_, n_sums_);
    }
    if (c.n_values < 2) return false;
    if (options_.nominal == NominalSplit::kMultiway) {
      c.kind = NodeKind::kMultiway;
      return large_enough >= 2 && Rate(Decrease(known, summed), 0, weights, known, c);
    }
    SubsetCut cut = BestSubset(impurity_, bins, known, options_.min_leaf, tolerance_);
    if (cut.sides.empty()) return false;
    c.kind = NodeKind::kSubset;
    c.sides = std::move(cut.sides);
    std::array<double, 3> children{};
    for (std::size_t level = 0; level < n_levels; ++level) {
      children[c.sides[level]] += weights[level];
    }
    return Rate(Decrease(known, cut.impurity), 0, std::span<const double>(children).first(2), known,
                c);
  }

  // By more than the rounding of gains. A ratio is a gain times merit / gain.
  bool IsBetter(const Candidate& c, const Candidate& other) const {
    return c.merit > other.merit + tolerance_ / weight_ * (c.merit / c.gain);
  }

  // Whether the choice among splits is that of the best so far, one after the other.
  bool ChoosesOneByOne() const {
    return (options_.criterion != Criterion::kGainRatio || !options_.average_gain_constraint) &&
           options_.criterion != Criterion::kRandom &&
           options_.criterion != Criterion::kLeastValues &&
           options_.criterion != Criterion::kMostValues;
  }

  // `candidates` (moved from) are the splits of the features in the order in which they were tried.
  template <class C>
  std::optional<C> Choose(std::vector<C>& candidates, plugin::Random& random) const {
    if (candidates.empty()) return std::nullopt;
    if (options_.criterion == Criterion::kRandom) {
      return std::move(candidates[static_cast<std::size_t>(random.Below(candidates.size()))]);
    }
    const auto has_less = [](const Candidate& a, const Candidate& b) {
      return a.n_values < b.n_values;
    };
    if (options_.criterion == Criterion::kLeastValues) {
      return std::move(*std::min_element(candidates.begin(), candidates.end(), has_less));
    }
    if (options_.criterion == Criterion::kMostValues) {
      return std::move(*std::max_element(candidates.begin(), candidates.end(), has_less));
    }
    double least_gain = 0;
    if (options_.criterion == Criterion::kGainRatio && options_.average_gain_constraint) {
      for (const Candidate& c : candidates) least_gain += c.gain;
      // Quinlan's programs let a gain pass that misses the average by this much.
      least_gain = least_gain / static_cast<double>(candidates.size()) - 1e-3;
    }
    C* best = nullptr;
    for (C& c : candidates) {
      if (c.gain < least_gain) continue;
      if (best == nullptr || IsBetter(c, *best)) best = &c;
    }
    return std::move(*best);
  }

 private:
  bool IsCorrected(ColumnKind kind) const {
    return options_.mdl_correction && Impurity::kClasses && kind == ColumnKind::kNumeric;
  }

  const GrowOptions& options_;
  const Impurity& impurity_;
  std::size_t n_sums_;
  // Of the node at hand.
  double weight_ = 0;
  std::span<const double> sums_;
  double tolerance_ = 0;
};

}  // namespace crossfold::bundled::tree
