// The best threshold of one column at a node, by counting classes: of columns with few values value
// by value, of others row by row. Whole weights only: see CountedRows.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "columns.h"
#include "counted_rows.h"
#include "split_search.h"

namespace crossfold::bundled::tree {

struct CountedCut {
  double impurity = std::numeric_limits<double>::infinity();  // summed; infinite = no cut
  std::uint32_t below = 0, above = 0;                         // the ranks around it
  std::uint32_t left_weight = 0;
  std::size_t n_tried = 0;
  std::size_t n_values = 0;  // of the column at the node
};

// `Score`: see counted_score.h.
template <class Impurity, class Score>
class CountedSearch {
 public:
  CountedSearch(const TrainingColumns& columns, const CountedRows& rows, const Impurity& impurity)
      : columns_(columns),
        rows_(rows),
        score_(impurity),
        narrow_place_(columns.num_features(), kWide) {
    for (std::size_t k = 0; k < columns.narrow_columns.size(); ++k) {
      const std::size_t j = columns.narrow_columns[k];
      narrow_place_[j] = static_cast<std::uint32_t>(k);
      first_bin_.push_back(n_bins_);
      first_word_.push_back(static_cast<std::uint32_t>(used_.size()));
      n_bins_ += static_cast<std::uint32_t>(columns.columns[j].distinct.size());
      used_.resize(used_.size() + (columns.columns[j].distinct.size() + 63) / 64);
    }
    first_word_.push_back(static_cast<std::uint32_t>(used_.size()));
    place_of_class_.resize(columns.n_classes);
  }

  bool IsNarrow(std::size_t j) const { return narrow_place_[j] != kWide; }

  // `count_all`: every narrow column will be asked for.
  void StartNode(const NodeRows& node, double tolerance, bool count_all) {
    node_ = &node;
    tolerance_ = tolerance;
    totals_.clear();
    all_totals_.clear();
    for (std::size_t c = 0; c < node.sums.size(); ++c) {
      const auto n = static_cast<std::uint32_t>(node.sums[c]);
      all_totals_.push_back(n);
      place_of_class_[c] = static_cast<std::uint32_t>(totals_.size());
      if (n > 0) totals_.push_back(n);
    }
    counts_.resize(std::max(counts_.size(), n_bins_ * totals_.size()), 0);
    has_counts_ = count_all;
    if (count_all) CountAll();
  }

  // `least`: weight that each side needs.
  CountedCut BestOfNarrow(std::size_t j, double least) {
    SetLeast(least);
    const std::size_t k = narrow_place_[j];
    if (!has_counts_) CountOne(k);
    CountedCut cut;
    std::uint64_t* words = used_.data() + first_word_[k];
    const std::size_t n_words = first_word_[k + 1] - first_word_[k];
    for (std::size_t w = 0; w < n_words; ++w) cut.n_values += std::popcount(words[w]);
    if (cut.n_values > 1) score_.Start(totals_);
    const std::size_t size = totals_.size();
    bool first = true;
    std::uint32_t last = 0;
    for (std::size_t w = 0; w < n_words; ++w) {
      for (std::uint64_t word = words[w]; word != 0; word &= word - 1) {
        const auto rank = static_cast<std::uint32_t>(w * 64 + std::countr_zero(word));
        std::uint32_t* counts = counts_.data() + (first_bin_[k] + rank) * size;
        if (cut.n_values > 1) {
          if (!first) Offer(last, rank, cut);
          MoveBin(counts);
        }
        std::fill_n(counts, size, 0u);  // for the next node
        first = false;
        last = rank;
      }
      words[w] = 0;
    }
    return cut;
  }

  // `items`: the rows at the node by (rank, row), without those of rank `left_out`.
  CountedCut BestOfSorted(std::span<const std::uint64_t> items, std::uint32_t left_out,
                          double least) {
    SetLeast(least);
    CountedCut cut;
    const bool has_run = items.size() < node_->rows.size();
    cut.n_values = has_run ? 1 : 0;
    if (items.empty()) return cut;
    if (!has_run && RankOf(items.front()) == RankOf(items.back())) {
      cut.n_values = 1;
      return cut;
    }
    score_.Start(all_totals_);
    if (has_run) CountRun(items);
    const auto run = std::partition_point(items.begin(), items.end(), [&](std::uint64_t item) {
      return has_run && RankOf(item) < left_out;
    });
    const auto n_below = static_cast<std::size_t>(run - items.begin());
    std::uint32_t last = kMissingRank;
    MoveItems(items.first(n_below), last, cut);
    if (has_run) {
      if (last != kMissingRank) Offer(last, left_out, cut);
      for (std::size_t c = 0; c < run_.size(); ++c) {
        if (run_[c] > 0) score_.Move(c, run_[c]);
      }
      last = left_out;
    }
    MoveItems(items.subspan(n_below), last, cut);
    return cut;
  }

 private:
  static constexpr std::uint32_t kWide = 0xFFFFFFFFu;

  void SetLeast(double least) {
    least_ = static_cast<std::uint32_t>(std::clamp(std::ceil(least), 1.0, 4e9));
  }

  void CountAll() {
    const std::size_t width = first_bin_.size(), size = totals_.size();
    if (width == 0) return;
    const bool one_word = used_.size() == width;
    for (const std::uint32_t row : node_->rows) {
      const std::uint8_t* ranks = columns_.narrow_ranks.data() + row * width;
      std::uint32_t* counts = counts_.data() + PlaceOf(row);
      const std::uint32_t weight = rows_.weights[row];
      for (std::size_t k = 0; k < width; ++k) {
        counts[(first_bin_[k] + ranks[k]) * size] += weight;
        const std::size_t word = one_word ? k : first_word_[k] + ranks[k] / 64u;
        used_[word] |= std::uint64_t{1} << (ranks[k] % 64);
      }
    }
  }

  void CountOne(std::size_t k) {
    const std::size_t width = first_bin_.size(), size = totals_.size();
    const std::uint8_t* ranks = columns_.narrow_ranks.data() + k;
    std::uint32_t* counts = counts_.data() + first_bin_[k] * size;
    std::uint64_t* words = used_.data() + first_word_[k];
    for (const std::uint32_t row : node_->rows) {
      const std::size_t rank = ranks[row * width];
      counts[rank * size + PlaceOf(row)] += rows_.weights[row];
      words[rank / 64] |= std::uint64_t{1} << (rank % 64);
    }
  }

  std::uint32_t PlaceOf(std::uint32_t row) const {
    return place_of_class_[static_cast<std::size_t>(columns_.labels[row])];
  }

  void MoveBin(const std::uint32_t* counts) {
    for (std::size_t c = 0; c < totals_.size(); ++c) {
      if (counts[c] > 0) score_.Move(c, counts[c]);
    }
  }

  // The classes of the rows that `items` leave out.
  void CountRun(std::span<const std::uint64_t> items) {
    run_.assign(all_totals_.begin(), all_totals_.end());
    for (const std::uint64_t item : items) {
      const std::uint32_t row = RowOf(item);
      run_[static_cast<std::size_t>(columns_.labels[row])] -= rows_.weights[row];
    }
  }

  // `last`: the rank that was moved before, or kMissingRank.
  void MoveItems(std::span<const std::uint64_t> items, std::uint32_t& last, CountedCut& cut) {
    for (const std::uint64_t item : items) {
      const std::uint32_t row = RowOf(item);
      if (RankOf(item) != last) {
        if (last != kMissingRank) Offer(last, RankOf(item), cut);
        last = RankOf(item);
        ++cut.n_values;
      }
      score_.Move(static_cast<std::size_t>(columns_.labels[row]), rows_.weights[row]);
    }
  }

  void Offer(std::uint32_t below, std::uint32_t above, CountedCut& cut) const {
    if (score_.left_weight() < least_ || score_.right_weight() < least_) return;
    ++cut.n_tried;
    const double sum = score_.Sum();
    if (!(sum < cut.impurity - tolerance_)) return;
    cut.impurity = sum;
    cut.below = below;
    cut.above = above;
    cut.left_weight = score_.left_weight();
  }

  const TrainingColumns& columns_;
  const CountedRows& rows_;
  Score score_;
  std::vector<std::uint32_t> narrow_place_;            // of each column among the narrow ones
  std::vector<std::uint32_t> first_bin_, first_word_;  // of each narrow column
  std::uint32_t n_bins_ = 0;

  const NodeRows* node_ = nullptr;
  std::uint32_t least_ = 1;
  double tolerance_ = 0;
  bool has_counts_ = false;
  std::vector<std::uint32_t> place_of_class_;       // among the classes at the node
  std::vector<std::uint32_t> totals_, all_totals_;  // of the classes at the node; of all
  std::vector<std::uint32_t> counts_;               // bins x classes at the node; 0 between nodes
  std::vector<std::uint64_t> used_;                 // a bit for each bin with rows
  std::vector<std::uint32_t> run_;
};

}  // namespace crossfold::bundled::tree
