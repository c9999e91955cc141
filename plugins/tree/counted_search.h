// The best threshold of one column at a node, by counting classes: of columns with few values value
// by value, of others row by row. Whole weights only: see CountedRows.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "columns.h"
#include "counted_rows.h"
#include "counted_score.h"
#include "split_search.h"

namespace crossfold::bundled::tree {

struct CountedCut {
  double impurity = std::numeric_limits<double>::infinity();  // summed; infinite = no cut
  std::uint32_t below = 0, above = 0;                         // the ranks around it
  std::uint32_t left_weight = 0;
  std::size_t n_tried = 0;
  std::size_t n_values = 0;  // of the column at the node
};

// The whole weight that each side needs.
inline std::uint32_t LeastWeight(double least) {
  return static_cast<std::uint32_t>(std::clamp(std::ceil(least), 1.0, 4e9));
}

// `Score`: see counted_score.h.
template <class Impurity, class Score>
class CountedSearch {
 public:
  CountedSearch(const TrainingColumns& columns, const CountedRows& rows, const Impurity& impurity)
      : columns_(columns),
        rows_(rows),
        impurity_(impurity),
        narrow_place_(columns.num_features(), kWide),
        place_of_class_(columns.n_classes) {
    for (const std::uint32_t j : columns.narrow_columns) {
      narrow_place_[j] = static_cast<std::uint32_t>(first_bin_.size());
      first_bin_.push_back(static_cast<std::uint32_t>(n_bins_));
      n_bins_ += columns.columns[j].distinct.size();
    }
    used_.resize(first_bin_.size());
  }

  bool IsNarrow(std::size_t j) const { return narrow_place_[j] != kWide; }

  // `count_all`: every narrow column will be searched.
  void StartNode(const NodeRows& node, double tolerance, bool count_all) {
    node_ = &node;
    tolerance_ = tolerance;
    const std::size_t n_classes = node.sums.size();
    all_.Resize(n_classes);
    present_.Resize(n_classes);
    std::uint32_t n_present = 0;
    for (std::size_t c = 0; c < n_classes; ++c) {
      const auto n = static_cast<std::uint32_t>(node.sums[c]);
      all_.totals[c] = present_.totals[n_present] = n;
      place_of_class_[c] = n_present;
      n_present += n > 0 ? 1 : 0;
    }
    present_.Resize(n_present);
    counts_.resize(std::max(counts_.size(), n_bins_ * present_.totals.size()), 0);
    has_counts_ = count_all;
    if (count_all) CountAll();
  }

  // `least`: weight that each side needs.
  CountedCut BestOfNarrow(std::size_t j, double least) {
    const std::size_t k = narrow_place_[j], size = present_.totals.size();
    if (!has_counts_) CountOne(k);
    std::uint32_t* counts = counts_.data() + first_bin_[k];
    const std::uint64_t used = std::exchange(used_[k], 0);
    CountedCut cut;
    if ((used & (used - 1)) == 0) {
      cut.n_values = 1;
      Clear(counts + std::countr_zero(used));
      return cut;
    }
    Score score(impurity_, present_);
    const std::uint32_t least_weight = LeastWeight(least);
    std::uint32_t last = kMissingRank;
    for (std::uint64_t u = used; u != 0; u &= u - 1) {
      const auto rank = static_cast<std::uint32_t>(std::countr_zero(u));
      if (last != kMissingRank) Offer(score, least_weight, last, rank, cut);
      std::uint32_t* bin = counts + rank;
      last = rank;
      ++cut.n_values;
      if ((u & (u - 1)) == 0) {  // the last: no cut comes after it
        Clear(bin);
        break;
      }
      // Without a test for 0, because a mispredicted branch costs more.
      for (std::size_t c = 0; c < size; ++c) score.Move(c, std::exchange(bin[c * n_bins_], 0u));
    }
    return cut;
  }

  // `items`: the rows at the node by (rank, row), without those of rank `left_out`.
  CountedCut BestOfSorted(std::span<const std::uint64_t> items, std::uint32_t left_out,
                          double least) {
    CountedCut cut;
    const bool has_run = items.size() < node_->rows.size();
    cut.n_values = has_run ? 1 : 0;
    if (items.empty()) return cut;
    if (!has_run && RankOf(items.front()) == RankOf(items.back())) {
      cut.n_values = 1;
      return cut;
    }
    if (has_run) CountRun(items);
    const auto run = std::partition_point(items.begin(), items.end(), [&](std::uint64_t item) {
      return has_run && RankOf(item) < left_out;
    });
    const auto n_below = static_cast<std::size_t>(run - items.begin());
    Score score(impurity_, all_);
    const std::uint32_t least_weight = LeastWeight(least);
    std::uint32_t last = kMissingRank;
    MoveItems(items.first(n_below), least_weight, score, last, cut);
    if (has_run) {
      if (last != kMissingRank) Offer(score, least_weight, last, left_out, cut);
      for (std::size_t c = 0; c < run_.size(); ++c) score.Move(c, run_[c]);
      last = left_out;
    }
    MoveItems(items.subspan(n_below), least_weight, score, last, cut);
    return cut;
  }

 private:
  static constexpr std::uint32_t kWide = 0xFFFFFFFFu;
  // Looking a bit up is faster than shifting by a number that is not known.
  static constexpr std::array<std::uint64_t, kFewValues> kBit = [] {
    std::array<std::uint64_t, kFewValues> bits{};
    for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = std::uint64_t{1} << i;
    return bits;
  }();

  // The next node begins with zeros.
  void Clear(std::uint32_t* bin) const {
    for (std::size_t c = 0; c < present_.totals.size(); ++c) bin[c * n_bins_] = 0;
  }

  void CountAll() {
    if (first_bin_.empty()) return;
    // Marking costs a store for each entry, looking for what is not 0 a load for each bin.
    if (node_->rows.size() * first_bin_.size() < 4 * n_bins_ * present_.totals.size()) {
      CountEntries<true>();
    } else {
      CountEntries<false>();
      MarkUsed();
    }
  }

  template <bool kMarks>
  void CountEntries() {
    const std::size_t width = first_bin_.size();
    const std::uint32_t* first_bin = first_bin_.data();
    std::uint64_t* used = used_.data();
    for (const std::uint32_t row : node_->rows) {
      const std::uint8_t* ranks = columns_.narrow_ranks.data() + row * width;
      std::uint32_t* counts = counts_.data() + PlaceOf(row) * n_bins_;
      const std::uint32_t weight = rows_.weights[row];
      for (std::size_t k = 0; k < width; ++k) {
        const std::uint32_t rank = ranks[k];
        counts[first_bin[k] + rank] += weight;
        if constexpr (kMarks) used[k] |= kBit[rank];
      }
    }
  }

  void MarkUsed() {
    any_.assign(n_bins_, 0);
    for (std::size_t c = 0; c < present_.totals.size(); ++c) {
      const std::uint32_t* counts = counts_.data() + c * n_bins_;
      for (std::size_t bin = 0; bin < n_bins_; ++bin) any_[bin] |= counts[bin];
    }
    for (std::size_t k = 0; k < first_bin_.size(); ++k) {
      const std::size_t end = k + 1 < first_bin_.size() ? first_bin_[k + 1] : n_bins_;
      std::uint64_t used = 0;
      for (std::size_t bin = end; bin > first_bin_[k]; --bin) {
        used = used << 1 | (any_[bin - 1] != 0 ? 1u : 0u);
      }
      used_[k] = used;
    }
  }

  void CountOne(std::size_t k) {
    const std::size_t width = first_bin_.size();
    const std::uint8_t* ranks = columns_.narrow_ranks.data() + k;
    std::uint32_t* counts = counts_.data() + first_bin_[k];
    std::uint64_t used = 0;
    for (const std::uint32_t row : node_->rows) {
      const std::size_t rank = ranks[row * width];
      counts[PlaceOf(row) * n_bins_ + rank] += rows_.weights[row];
      used |= std::uint64_t{1} << rank;
    }
    used_[k] = used;
  }

  std::size_t PlaceOf(std::uint32_t row) const {
    return place_of_class_[static_cast<std::size_t>(columns_.labels[row])];
  }

  // The classes of the rows that `items` leave out.
  void CountRun(std::span<const std::uint64_t> items) {
    run_.assign(all_.totals.begin(), all_.totals.end());
    for (const std::uint64_t item : items) {
      const std::uint32_t row = RowOf(item);
      run_[static_cast<std::size_t>(columns_.labels[row])] -= rows_.weights[row];
    }
  }

  // `last`: the rank that was moved before, or kMissingRank.
  void MoveItems(std::span<const std::uint64_t> items, std::uint32_t least_weight, Score& score,
                 std::uint32_t& last, CountedCut& cut) const {
    const std::int32_t* labels = columns_.labels.data();
    const std::uint32_t* weights = rows_.weights.data();
    for (const std::uint64_t item : items) {
      const std::uint32_t row = RowOf(item);
      if (RankOf(item) != last) {
        if (last != kMissingRank) Offer(score, least_weight, last, RankOf(item), cut);
        last = RankOf(item);
        ++cut.n_values;
      }
      score.Move(static_cast<std::size_t>(labels[row]), weights[row]);
    }
  }

  void Offer(const Score& score, std::uint32_t least_weight, std::uint32_t below,
             std::uint32_t above, CountedCut& cut) const {
    if (score.left_weight() < least_weight || score.right_weight() < least_weight) return;
    ++cut.n_tried;
    const double sum = score.Sum();
    if (!(sum < cut.impurity - tolerance_)) return;
    cut.impurity = sum;
    cut.below = below;
    cut.above = above;
    cut.left_weight = score.left_weight();
  }

  const TrainingColumns& columns_;
  const CountedRows& rows_;
  const Impurity& impurity_;
  std::vector<std::uint32_t> narrow_place_;  // of each column among the narrow ones
  std::vector<std::uint32_t> first_bin_;     // of each narrow column
  std::size_t n_bins_ = 0;

  const NodeRows* node_ = nullptr;
  double tolerance_ = 0;
  bool has_counts_ = false;
  std::vector<std::uint32_t> place_of_class_;  // among the classes at the node
  ClassCounts present_, all_;                  // of the classes at the node; of all classes
  std::vector<std::uint32_t> counts_;          // classes at the node x bins; 0 between nodes
  std::vector<std::uint64_t> used_;  // of each narrow column, a bit for each bin with rows
  std::vector<std::uint32_t> any_;   // of each bin, not 0 if it has rows
  std::vector<std::uint32_t> run_;
};

}  // namespace crossfold::bundled::tree
