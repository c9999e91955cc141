#include "attribute_lists.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "../feature_text.h"
#include "crossfold_plugin/error.hpp"
#include "crossfold_plugin/random.hpp"
#include "sort_keys.h"

namespace crossfold::bundled::tree {

namespace {

[[noreturn]] void RefuseMissing(const plugin::FeatureView& rows, std::int64_t j) {
  throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                      FeatureText(rows, j) +
                          " has a missing entry, which growth = sliq does not take; fill missing "
                          "entries with a transform such as impute, or use growth = memory");
}

// Sorts the entries of one column after the other in bounded memory: a sample of the entries cuts
// them in ranges, the rows are dealt to the ranges on the disk, and each range is sorted in memory
// (Frazer and McKellar 1970, "Samplesort"). A value that is among the cuts has a range of its own,
// so that frequent values need no sorting (as Sanders and Winkel 2004 do).
class ListSorter {
 public:
  explicit ListSorter(const OrderedRows& rows) : rows_(rows) {
    if (rows.size() <= kInMemory) return;
    range_of_row_ = ScratchArray<std::uint16_t>(rows.size());
    items_ = ScratchArray<KeyedRow>(rows.size());
  }

  // Writes column j to `list`; returns how many different entries it has.
  std::size_t Sort(std::size_t j, std::span<std::uint32_t> list) {
    const ColumnEntries entries(rows_, j);
    feature_ = static_cast<std::int64_t>(j);
    n_values_ = 0;
    if (rows_.size() <= kInMemory) {
      in_memory_.clear();
      for (std::size_t row = 0; row < rows_.size(); ++row) {
        in_memory_.push_back({OrderedKey(Checked(entries[row])), static_cast<std::uint32_t>(row)});
      }
      SortByKey(in_memory_, other_);
      WriteSorted(in_memory_, list);
      return n_values_;
    }
    DrawCuts(entries);
    CountRanges(entries);
    Deal(entries, list);
    for (std::size_t range = 0; range < n_ranges_; ++range) WriteRange(range, list);
    return n_values_;
  }

 private:
  static constexpr std::size_t kInMemory = std::size_t{1} << 16;     // rows that are sorted at once
  static constexpr std::size_t kMostInRange = std::size_t{1} << 20;  // others are sorted in place
  static constexpr std::size_t kMostCuts = 255;
  static constexpr std::size_t kSample = 8 * (kMostCuts + 1);

  double Checked(double x) const {
    if (std::isnan(x)) RefuseMissing(rows_.view(), feature_);
    RefuseInfinite(rows_.view(), feature_, x);
    return x;
  }

  void DrawCuts(const ColumnEntries& entries) {
    plugin::Random random(0x736C6971);  // "sliq"; the result does not depend on it
    std::vector<double> sample;
    for (std::size_t i = 0; i < kSample; ++i) {
      sample.push_back(Checked(entries[static_cast<std::size_t>(random.Below(rows_.size()))]));
    }
    std::sort(sample.begin(), sample.end());
    // Above all entries, so that a search has a fixed number of steps.
    cuts_.fill(std::numeric_limits<double>::infinity());
    std::size_t n_cuts = 0;
    for (std::size_t i = 1; i <= kMostCuts; ++i) {
      const double cut = sample[i * (kSample / (kMostCuts + 1))];
      if (n_cuts == 0 || cuts_[n_cuts - 1] < cut) cuts_[n_cuts++] = cut;
    }
    n_ranges_ = 2 * n_cuts + 1;
  }

  // Even: between two cuts; odd: of a cut's own value.
  std::size_t RangeOf(double x) const {
    const double* cut = cuts_.data();
    for (std::size_t step = (kMostCuts + 1) / 2; step > 0; step /= 2) {
      cut += cut[step - 1] < x ? step : 0;
    }
    return 2 * static_cast<std::size_t>(cut - cuts_.data()) + (*cut == x ? 1 : 0);
  }

  void CountRanges(const ColumnEntries& entries) {
    begin_.fill(0);
    // x - x is 0 for finite numbers only: one sum says whether all are.
    double not_finite = 0;
    const std::span<std::uint16_t> ranges = range_of_row_.all();
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const double x = entries[row];
      not_finite += x - x;
      const std::size_t range = RangeOf(x);
      ranges[row] = static_cast<std::uint16_t>(range);
      ++begin_[range + 1];
    }
    if (not_finite != 0) {
      for (std::size_t row = 0; row < rows_.size(); ++row) Checked(entries[row]);
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  }

  void Deal(const ColumnEntries& entries, std::span<std::uint32_t> list) {
    std::array<std::size_t, kMostRanges> next;
    std::copy_n(begin_.begin(), kMostRanges, next.begin());
    const std::span<const std::uint16_t> ranges = range_of_row_.all();
    const std::span<KeyedRow> items = items_.all();
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const std::size_t range = ranges[row], to = next[range]++;
      if (range % 2 == 1) {
        list[to] = static_cast<std::uint32_t>(row);
      } else {
        items[to] = {OrderedKey(entries[row]), static_cast<std::uint32_t>(row)};
      }
    }
  }

  void WriteRange(std::size_t range, std::span<std::uint32_t> list) {
    const std::size_t begin = begin_[range], n = begin_[range + 1] - begin;
    if (n == 0) return;
    if (range % 2 == 1) {
      list[begin] |= kNewValue;
      ++n_values_;
      return;
    }
    const std::span<KeyedRow> items = items_.all().subspan(begin, n);
    if (n > kMostInRange) {
      std::sort(items.begin(), items.end(), [](const KeyedRow& a, const KeyedRow& b) {
        return a.key != b.key ? a.key < b.key : a.row < b.row;
      });
      WriteSorted(items, list.subspan(begin));
      return;
    }
    in_memory_.assign(items.begin(), items.end());
    SortByKey(in_memory_, other_);
    WriteSorted(in_memory_, list.subspan(begin));
  }

  void WriteSorted(std::span<const KeyedRow> items, std::span<std::uint32_t> list) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const bool is_new = i == 0 || items[i].key != items[i - 1].key;
      n_values_ += is_new ? 1 : 0;
      list[i] = items[i].row | (is_new ? kNewValue : 0);
    }
  }

  static constexpr std::size_t kMostRanges = 2 * kMostCuts + 1;

  const OrderedRows& rows_;
  std::int64_t feature_ = 0;
  std::size_t n_values_ = 0;
  std::array<double, kMostCuts + 1> cuts_{};
  std::size_t n_ranges_ = 0;
  // Of each range, in the list. An entry of +inf has a range of its own until it is refused.
  std::array<std::size_t, kMostRanges + 2> begin_{};
  ScratchArray<std::uint16_t> range_of_row_;
  ScratchArray<KeyedRow> items_;
  std::vector<KeyedRow> in_memory_, other_;
};

void RefuseMissingLevels(const OrderedRows& rows, std::size_t j) {
  const ColumnEntries entries(rows, j);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (std::isnan(entries[row])) RefuseMissing(rows.view(), static_cast<std::int64_t>(j));
  }
}

}  // namespace

AttributeLists::AttributeLists(const OrderedRows& rows, const plugin::Context* context)
    : columns_(rows.num_features()) {
  const std::vector<ColumnInfo> described = DescribeColumns(rows.view());
  ListSorter sorter(rows);
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    Column& column = columns_[j];
    column.kind = described[j].kind;
    if (column.kind == ColumnKind::kNominal) {
      RefuseMissingLevels(rows, j);
      column.n_values =
          static_cast<std::size_t>(rows.view().num_levels(static_cast<std::int64_t>(j)));
    } else {
      column.list = ScratchArray<std::uint32_t>(rows.size());
      column.n_values = sorter.Sort(j, column.list.all());
    }
    if (context != nullptr)
      context->Progress(0.5 * static_cast<double>(j + 1) / static_cast<double>(columns_.size()));
  }
}

}  // namespace crossfold::bundled::tree
