// Groups dealt to parts so that each stratum, and the rows as a whole, are spread evenly.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "group_counts.h"

namespace crossfold::bundled {

// Parts are folds, or training and test rows. Makes the unevenness small: the sum over parts and
// columns of GroupCounts of
//   ((rows of the column in the part - share of the part * rows of the column)
//    / rows of the column)^2.
// With l = the counts of a part less what it should have, a group that moves from part a to part b,
// d = its counts, changes it by 2 * Product(d, l_b - l_a + d); so no change needs a look at others.
class GroupDealer {
 public:
  enum class Order { kLargestFirst, kAsGiven };

  GroupDealer(const GroupCounts& counts, std::span<const double> shares, Order order)
      : counts_(counts),
        shares_(shares.begin(), shares.end()),
        order_(order),
        n_columns_(counts.num_columns()),
        load_(shares.size() * n_columns_),
        groups_in_(shares.size()),
        part_of_(counts.num_groups()) {}

  // The part of each group. `order` names each group once; it decides between equal choices. No
  // part stays empty. REQUIRES: at least as many groups as parts.
  std::vector<std::int32_t> Deal(std::vector<std::size_t> order) {
    for (std::size_t part = 0; part < shares_.size(); ++part) {
      for (std::size_t c = 0; c < n_columns_; ++c) {
        load_[part * n_columns_ + c] = -shares_[part] * counts_.totals()[c];
      }
    }
    std::fill(groups_in_.begin(), groups_in_.end(), 0);
    if (order_ == Order::kLargestFirst) SortByImpact(order);
    for (const std::size_t group : order) Put(group, NeediestPart(group));
    FillEmptyParts(order);
    Improve(order);
    return part_of_;
  }

  // Whether some groups weigh the same, so that another order may give another result.
  bool HasEqualGroups() const {
    std::vector<double> impacts(counts_.num_groups());
    for (std::size_t g = 0; g < impacts.size(); ++g) impacts[g] = Impact(g);
    std::sort(impacts.begin(), impacts.end());
    return std::adjacent_find(impacts.begin(), impacts.end()) != impacts.end();
  }

 private:
  // Exchanges of all pairs are tried up to this many groups; with more of them moves of single
  // groups are enough.
  static constexpr std::size_t kMostGroupsToSwap = 1000;
  static constexpr int kMostPasses = 20;
  // Less is rounding, of numbers around 1.
  static constexpr double kLeastGain = 1e-12;

  double Impact(std::size_t group) const {
    return counts_.Product(counts_.of_group(group), counts_.of_group(group));
  }

  void SortByImpact(std::vector<std::size_t>& order) const {
    std::vector<std::pair<double, std::size_t>> keyed;
    for (const std::size_t group : order) keyed.emplace_back(Impact(group), group);
    std::stable_sort(keyed.begin(), keyed.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::transform(keyed.begin(), keyed.end(), order.begin(),
                   [](const auto& k) { return k.second; });
  }

  std::span<double> LoadOf(std::size_t part) {
    return std::span(load_).subspan(part * n_columns_, n_columns_);
  }
  std::size_t PartOf(std::size_t group) const { return static_cast<std::size_t>(part_of_[group]); }

  // Of equal parts the lower one.
  std::size_t NeediestPart(std::size_t group) {
    std::size_t best = 0;
    double least = 0;
    for (std::size_t part = 0; part < shares_.size(); ++part) {
      const double crowding = counts_.Product(counts_.of_group(group), LoadOf(part));
      if (part == 0 || crowding < least) {
        best = part;
        least = crowding;
      }
    }
    return best;
  }

  // A small share may have got nothing.
  void FillEmptyParts(std::span<const std::size_t> order) {
    for (std::size_t part = 0; part < shares_.size(); ++part) {
      if (groups_in_[part] > 0) continue;
      std::size_t best = counts_.num_groups();
      for (const std::size_t group : order) {
        if (groups_in_[PartOf(group)] == 1) continue;
        if (best == counts_.num_groups() ||
            Gain(group, part, nullptr) > Gain(best, part, nullptr)) {
          best = group;
        }
      }
      Take(best);
      Put(best, part);
    }
  }

  void Put(std::size_t group, std::size_t part) { Add(group, part, 1); }
  void Take(std::size_t group) { Add(group, PartOf(group), -1); }
  void Add(std::size_t group, std::size_t part, int sign) {
    const std::span<const double> counts = counts_.of_group(group);
    const std::span<double> load = LoadOf(part);
    for (std::size_t c = 0; c < n_columns_; ++c) load[c] += sign * counts[c];
    groups_in_[part] += sign;
    part_of_[group] = static_cast<std::int32_t>(part);
  }

  // How much less uneven the parts get; `other` = the group that comes back, or none.
  double Gain(std::size_t group, std::size_t to, const std::size_t* other) {
    const std::span<const double> own = counts_.of_group(group);
    const std::span<const double> from_load = LoadOf(PartOf(group));
    const std::span<const double> to_load = LoadOf(to);
    double change = 0;
    for (std::size_t c = 0; c < n_columns_; ++c) {
      const double d = own[c] - (other == nullptr ? 0.0 : counts_.of_group(*other)[c]);
      const double total = counts_.totals()[c];
      change += d * (to_load[c] - from_load[c] + d) / (total * total);
    }
    return -2 * change;
  }

  bool MoveIfBetter(std::size_t group) {
    const auto from = PartOf(group);
    if (groups_in_[from] == 1) return false;
    std::size_t best = from;
    double most = kLeastGain;
    for (std::size_t part = 0; part < shares_.size(); ++part) {
      if (part == from) continue;
      const double gain = Gain(group, part, nullptr);
      if (gain > most) {
        best = part;
        most = gain;
      }
    }
    if (best == from) return false;
    Take(group);
    Put(group, best);
    return true;
  }

  bool SwapIfBetter(std::size_t group, std::size_t other) {
    const auto from = PartOf(group);
    const auto to = PartOf(other);
    if (from == to || Gain(group, to, &other) <= kLeastGain) return false;
    Take(group);
    Take(other);
    Put(group, to);
    Put(other, from);
    return true;
  }

  // Moves and exchanges groups as long as that makes the parts more even.
  void Improve(std::span<const std::size_t> order) {
    for (int pass = 0; pass < kMostPasses; ++pass) {
      bool is_better = false;
      for (std::size_t i = 0; i < order.size(); ++i) {
        is_better |= MoveIfBetter(order[i]);
        if (order.size() > kMostGroupsToSwap) continue;
        for (std::size_t j = i + 1; j < order.size(); ++j) {
          is_better |= SwapIfBetter(order[i], order[j]);
        }
      }
      if (!is_better) return;
    }
  }

  const GroupCounts& counts_;
  std::vector<double> shares_;
  Order order_;
  std::size_t n_columns_;
  std::vector<double> load_;  // parts x columns; rows beyond what the part should have
  std::vector<std::int64_t> groups_in_;
  std::vector<std::int32_t> part_of_;
};

}  // namespace crossfold::bundled
