#include "analysis/facts/split_facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "engine/text/shown_text.h"

namespace crossfold {
namespace {

// From the first to the last test row.
struct TestSpan {
  double first = std::numeric_limits<double>::infinity();
  double last = -std::numeric_limits<double>::infinity();

  void Add(double time) {
    first = std::min(first, time);
    last = std::max(last, time);
  }
  bool HasInside(double time) const { return first < time && time < last; }
};

class Clock {
 public:
  explicit Clock(const DataView& view) : times_(view.data->time()) {
    if (!view.data->time_exact().empty()) times_ = Ranks(view.data->time_exact());
    for (std::int64_t i = 0; i < view.num_rows(); ++i) sorted_.push_back(at(view.row_id(i)));
    std::ranges::sort(sorted_);
  }

  double at(std::int64_t row) const { return times_[static_cast<std::size_t>(row)]; }
  std::int64_t CountInside(const TestSpan& span) const {
    const auto begin = std::ranges::upper_bound(sorted_, span.first);
    const auto end = std::ranges::lower_bound(sorted_, span.last);
    return begin < end ? end - begin : 0;
  }
  // The times next to one of them; an infinity where there is none.
  double Before(double time) const {
    const auto place = std::ranges::lower_bound(sorted_, time);
    return place == sorted_.begin() ? -std::numeric_limits<double>::infinity() : *(place - 1);
  }
  double After(double time) const {
    const auto place = std::ranges::upper_bound(sorted_, time);
    return place == sorted_.end() ? std::numeric_limits<double>::infinity() : *place;
  }

 private:
  // Numbers that compare as the ticks do, which doubles may not distinguish.
  std::vector<double>& Ranks(std::span<const std::int64_t> ticks) {
    std::vector<std::int64_t> distinct(ticks.begin(), ticks.end());
    std::ranges::sort(distinct);
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (const std::int64_t tick : ticks) {
      const auto place = std::ranges::lower_bound(distinct, tick);
      ranks_.push_back(static_cast<double>(place - distinct.begin()));
    }
    return ranks_;
  }

  std::vector<double> ranks_;
  std::span<const double> times_;  // of all rows
  std::vector<double> sorted_;
};

// All rows that a fold does not test train for it.
bool Mixes(const Clock& clock, const DataView& view, const Partition& partition) {
  std::vector<TestSpan> spans(static_cast<std::size_t>(partition.n_folds));
  std::vector<std::int64_t> tested_inside(spans.size());
  const auto each_tested = [&](auto&& take) {
    for (std::size_t i = 0; i < partition.fold_of_row.size(); ++i) {
      const std::int32_t fold = partition.fold_of_row[i];
      if (fold < 0) continue;
      take(static_cast<std::size_t>(fold), clock.at(view.row_id(static_cast<std::int64_t>(i))));
    }
  };
  each_tested([&](std::size_t fold, double time) { spans[fold].Add(time); });
  each_tested([&](std::size_t fold, double time) {
    tested_inside[fold] += spans[fold].HasInside(time) ? 1 : 0;
  });
  for (std::size_t fold = 0; fold < spans.size(); ++fold) {
    const TestSpan& span = spans[fold];
    if (clock.CountInside(span) > tested_inside[fold]) return true;
    if (span.first == span.last && std::isfinite(clock.Before(span.first)) &&
        std::isfinite(clock.After(span.first))) {
      return true;
    }
  }
  return false;
}

bool Mixes(const Clock& clock, const SplitRows& split) {
  TestSpan span;
  for (const std::int64_t row : split.test) span.Add(clock.at(row));
  const bool is_single = span.first == span.last;
  const double before = clock.Before(span.first), after = clock.After(span.first);
  bool trains_before = false, trains_after = false;
  for (const std::int64_t row : split.train) {
    const double time = clock.at(row);
    if (span.HasInside(time)) return true;
    trains_before |= is_single && time == before;
    trains_after |= is_single && time == after;
  }
  return trains_before && trains_after;
}

// Counts what the training rows of a split lack of one column.
class UnseenLevels {
 public:
  UnseenLevels(const DataView& view, const Column& column)
      : view_(view), column_(column), unseen_(column.levels.size()) {}

  // A level is unseen in a fold if all of its rows are tested there.
  void Add(const Partition& partition) {
    constexpr std::int32_t kNone = -2, kSeveral = -1;
    std::vector<std::int32_t> fold_of(unseen_.size(), kNone);
    std::vector<std::int64_t> rows_of(unseen_.size());
    for (std::size_t i = 0; i < partition.fold_of_row.size(); ++i) {
      const std::int32_t code = CodeOf(view_.row_id(static_cast<std::int64_t>(i)));
      if (code < 0) continue;
      const auto level = static_cast<std::size_t>(code);
      const std::int32_t fold = std::max(partition.fold_of_row[i], kSeveral);
      fold_of[level] = fold_of[level] == kNone || fold_of[level] == fold ? fold : kSeveral;
      ++rows_of[level];
    }
    for (std::size_t level = 0; level < unseen_.size(); ++level) {
      if (fold_of[level] >= 0) Count(level, rows_of[level]);
    }
  }

  void Add(const SplitRows& split) {
    std::vector<bool> trained(unseen_.size());
    for (const std::int64_t row : split.train) {
      if (const std::int32_t code = CodeOf(row); code >= 0) {
        trained[static_cast<std::size_t>(code)] = true;
      }
    }
    for (const std::int64_t row : split.test) {
      const std::int32_t code = CodeOf(row);
      if (code >= 0 && !trained[static_cast<std::size_t>(code)]) {
        Count(static_cast<std::size_t>(code), 1);
      }
    }
  }

  // "" if there are none.
  std::string Note() const {
    const auto n_levels = std::count(unseen_.begin(), unseen_.end(), true);
    if (n_levels == 0) return "";
    const bool one = n_levels == 1;
    return "'" + Shown(column_.name) + "' has " + std::to_string(n_levels) +
           (one ? " level" : " levels") + " that no training row of a split has, in " +
           std::to_string(n_rows_) + (n_rows_ == 1 ? " test row" : " test rows") +
           (one ? ": the models do not know it" : ": the models do not know them");
  }

 private:
  std::int32_t CodeOf(std::int64_t row) const {
    return column_.is_missing(row)
               ? -1
               : static_cast<const std::int32_t*>(column_.data)[static_cast<std::size_t>(row)];
  }
  void Count(std::size_t level, std::int64_t n_rows) {
    unseen_[level] = true;
    n_rows_ += n_rows;
  }

  const DataView& view_;
  const Column& column_;
  std::vector<bool> unseen_;
  std::int64_t n_rows_ = 0;
};

// Two sums over a set of rows that do not depend on their order: sets with the same sums are the
// same, but for a chance of about 2^-128.
using SetSums = std::array<std::uint64_t, 2>;

std::uint64_t Mixed(std::uint64_t x) {  // splitmix64 (Steele, Lea and Flood 2014)
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

void AddRow(std::int64_t row, SetSums& sums) {
  const std::uint64_t first = Mixed(static_cast<std::uint64_t>(row));
  sums[0] += first;
  sums[1] += Mixed(~first);
}

SetSums SumsOf(std::span<const std::int64_t> rows) {
  SetSums sums{};
  for (const std::int64_t row : rows) AddRow(row, sums);
  return sums;
}

using SplitKey = std::array<SetSums, 2>;

// A key of the sets of rows of each split. The test rows of a partition say which rows train.
std::vector<SplitKey> KeysOf(const SplitPlan& plan, const CancelToken* cancel) {
  std::vector<SplitKey> keys;
  for (const Partition& partition : plan.partitions()) {
    StopIfCancelled(cancel);
    const std::size_t first = keys.size();
    keys.resize(first + static_cast<std::size_t>(partition.n_folds));
    for (std::size_t i = 0; i < partition.fold_of_row.size(); ++i) {
      const std::int32_t fold = partition.fold_of_row[i];
      if (fold < 0) continue;
      AddRow(plan.view().row_id(static_cast<std::int64_t>(i)),
             keys[first + static_cast<std::size_t>(fold)][0]);
    }
  }
  for (std::int64_t s = 0; plan.partitions().empty() && s < plan.size(); ++s) {
    StopIfCancelled(cancel);
    const SplitRows rows = plan.Rows(s);
    keys.push_back({SumsOf(rows.test), SumsOf(rows.train)});
  }
  return keys;
}

}  // namespace

std::vector<std::int64_t> FirstSameSplits(const SplitPlan& plan, const CancelToken* cancel) {
  std::map<SplitKey, std::int64_t> first;
  std::vector<std::int64_t> list;
  for (const SplitKey& key : KeysOf(plan, cancel)) {
    list.push_back(first.try_emplace(key, static_cast<std::int64_t>(list.size())).first->second);
  }
  return list;
}

std::int64_t CountUnits(const SplitPlan& plan) {
  const DataView& view = plan.view();
  const auto groups = view.data->groups();
  if (groups.empty()) return view.num_rows();
  std::unordered_set<std::int64_t> seen;
  for (std::int64_t i = 0; i < view.num_rows(); ++i) {
    seen.insert(groups[static_cast<std::size_t>(view.row_id(i))]);
  }
  return static_cast<std::int64_t>(seen.size());
}

bool HaveSameSets(const SplitPlan& a, const SplitPlan& b, const CancelToken* cancel) {
  std::vector<SplitKey> of_a = KeysOf(a, cancel), of_b = KeysOf(b, cancel);
  std::ranges::sort(of_a);
  std::ranges::sort(of_b);
  return of_a == of_b;
}

bool MixesPastAndFuture(const SplitPlan& plan, const CancelToken* cancel) {
  const DataView& view = plan.view();
  if (view.data->time().empty()) return false;
  const Clock clock(view);
  for (const Partition& partition : plan.partitions()) {
    StopIfCancelled(cancel);
    if (Mixes(clock, view, partition)) return true;
  }
  for (std::int64_t s = 0; plan.partitions().empty() && s < plan.size(); ++s) {
    StopIfCancelled(cancel);
    if (Mixes(clock, plan.Rows(s))) return true;
  }
  return false;
}

std::vector<std::string> FindUnseenLevels(const SplitPlan& plan, const CancelToken* cancel) {
  if (plan.min_train_rows() == 0) return {};  // the predictions of others
  const Dataset& data = *plan.view().data;
  std::vector<UnseenLevels> columns;
  for (const cf_column& feature : data.features()) {
    if (feature.dtype == CF_CAT32) columns.emplace_back(plan.view(), data.column(feature.name));
  }
  for (const Partition& partition : plan.partitions()) {
    StopIfCancelled(cancel);
    for (UnseenLevels& column : columns) column.Add(partition);
  }
  for (std::int64_t s = 0; !columns.empty() && plan.partitions().empty() && s < plan.size(); ++s) {
    StopIfCancelled(cancel);
    const SplitRows rows = plan.Rows(s);
    for (UnseenLevels& column : columns) column.Add(rows);
  }
  std::vector<std::string> notes;
  for (const UnseenLevels& column : columns) {
    std::string note = column.Note();
    if (!note.empty()) notes.push_back(std::move(note));
  }
  return notes;
}

void RefuseTornGroups(const SplitPlan& plan, const std::string& name, const std::string& way_out) {
  const Dataset& data = *plan.view().data;
  if (data.groups().empty()) return;
  const auto group_of = [&](std::int64_t row) {
    return data.groups()[static_cast<std::size_t>(row)];
  };
  for (std::int64_t split = 0; split < plan.size(); ++split) {
    const SplitRows rows = plan.Rows(split);
    std::unordered_map<std::int64_t, std::int64_t> tested;
    for (const std::int64_t row : rows.test) tested.try_emplace(group_of(row), row);
    for (const std::int64_t row : rows.train) {
      const auto place = tested.find(group_of(row));
      if (place == tested.end()) continue;
      throw Error(ErrorKind::kInvalidArgument,
                  "cannot use the splits of '" + name + "' on dataset '" + data.name() +
                      "': split " + std::to_string(split + 1) + " tests row " +
                      std::to_string(place->second + 1) + " while row " + std::to_string(row + 1) +
                      " of the same group trains; " + way_out);
    }
  }
}

}  // namespace crossfold
