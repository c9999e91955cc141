#include <algorithm>
#include <cassert>
#include <functional>
#include <numeric>
#include <optional>
#include <span>

#include "crossfold/error.h"
#include "crossfold/split.h"
#include "engine/plan/split_problems.h"

namespace crossfold {
namespace {

std::string RowText(std::int64_t id) { return "row " + std::to_string(id + 1); }

std::string FoldText(std::int64_t fold, std::size_t repeat) {
  return "fold " + std::to_string(fold + 1) + " of repeat " + std::to_string(repeat + 1);
}

// Whether rows are ordered and not repeated, as in nearly every view.
bool IsStrictlyAscending(std::span<const std::int64_t> rows) {
  return std::adjacent_find(rows.begin(), rows.end(), std::greater_equal<>()) == rows.end();
}

std::string FindViewProblem(const DataView& view) {
  if (view.num_rows() == 0) return "there are no rows";
  if (!view.rows) return "";
  for (const std::int64_t id : *view.rows) {
    if (id < 0 || id >= view.data->num_rows()) {
      return RowText(id) + " is not among the " + std::to_string(view.data->num_rows()) +
             " rows of the dataset";
    }
  }
  return "";
}

// Returns the number of rows that each fold tests. REQUIRES: fold numbers are in range.
std::vector<std::int64_t> CountFoldRows(const Partition& partition) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(partition.n_folds));
  for (const std::int32_t fold : partition.fold_of_row) {
    if (fold >= 0) ++counts[static_cast<std::size_t>(fold)];
  }
  return counts;
}

std::string FindFoldProblem(const Partition& partition, std::int64_t n_rows, std::size_t repeat) {
  const std::string where = "repeat " + std::to_string(repeat + 1);
  if (static_cast<std::int64_t>(partition.fold_of_row.size()) != n_rows) {
    return where + " has fold numbers for " + std::to_string(partition.fold_of_row.size()) +
           " rows instead of " + std::to_string(n_rows);
  }
  if (partition.n_folds < 1) return where + " has no folds";
  if (partition.n_folds > n_rows) {
    return where + " has " + std::to_string(partition.n_folds) + " folds for " +
           std::to_string(n_rows) + " rows";
  }
  const auto is_unknown = [&](std::int32_t fold) { return fold < -1 || fold >= partition.n_folds; };
  bool any_unknown = false;  // without an exit, so that several rows are looked at together
  for (const std::int32_t fold : partition.fold_of_row) any_unknown |= is_unknown(fold);
  for (std::size_t i = 0; any_unknown && i < partition.fold_of_row.size(); ++i) {
    const std::int32_t fold = partition.fold_of_row[i];
    if (is_unknown(fold)) {
      return "position " + std::to_string(i + 1) + " is in fold number " + std::to_string(fold) +
             " (counted from 0) of " + std::to_string(partition.n_folds) + " folds in " + where;
    }
  }
  const std::vector<std::int64_t> counts = CountFoldRows(partition);
  for (std::size_t fold = 0; fold < counts.size(); ++fold) {
    if (counts[fold] != 0 && counts[fold] != n_rows) continue;
    return FoldText(static_cast<std::int64_t>(fold), repeat) +
           (counts[fold] == 0 ? " has no rows" : " has no training rows");
  }
  return "";
}

// Finds rows that a view contains twice and that a fold both trains on and tests.
std::string FindRepeatedRowProblem(const DataView& view, std::span<const Partition> repeats) {
  if (!view.rows || IsStrictlyAscending(*view.rows)) return "";
  std::vector<std::int64_t> order(view.rows->size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return view.row_id(a) != view.row_id(b) ? view.row_id(a) < view.row_id(b) : a < b;
  });
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (view.row_id(order[i - 1]) != view.row_id(order[i])) continue;
    for (std::size_t r = 0; r < repeats.size(); ++r) {
      const std::vector<std::int32_t>& folds = repeats[r].fold_of_row;
      const std::int32_t one = folds[static_cast<std::size_t>(order[i - 1])];
      const std::int32_t other = folds[static_cast<std::size_t>(order[i])];
      if (one != other) {
        return RowText(view.row_id(order[i])) + " is both trained on and tested in " +
               FoldText(std::max(one, other), r) +
               ", because these rows hold it more than once; draw rows without replacement, or "
               "give the data groups, which keep the copies of a row together";
      }
    }
  }
  return "";
}

// The last split (from 1) that tests a row or position, so that a table per split is not needed.
class Testers {
 public:
  explicit Testers(const DataView& view) : view_(view) {}
  std::size_t& of_position(std::int64_t position) {
    if (positions_.empty()) positions_.resize(static_cast<std::size_t>(view_.num_rows()));
    return positions_[static_cast<std::size_t>(position)];
  }
  std::size_t& of_row(std::int64_t row) {
    if (rows_.empty()) rows_.resize(static_cast<std::size_t>(view_.data->num_rows()));
    return rows_[static_cast<std::size_t>(row)];
  }

 private:
  const DataView& view_;
  std::vector<std::size_t> rows_, positions_;  // made when a split needs them
};

// Finds parts without rows, and positions that the view does not have.
std::string FindRangeProblem(const DataView& view, const SplitRows& split,
                             const std::string& where) {
  if (split.test.empty()) return where + " has no test rows";
  for (const std::vector<std::int64_t>* part : {&split.test, &split.train}) {
    for (const std::int64_t position : *part) {
      if (position < 0 || position >= view.num_rows()) {
        return "position " + std::to_string(position + 1) + " in " + where + " is not among the " +
               std::to_string(view.num_rows()) + " rows";
      }
    }
  }
  return "";
}

std::string FindRowProblem(const DataView& view, std::span<const SplitRows> rows) {
  if (rows.empty()) return "there are no splits";
  for (std::size_t s = 0; s < rows.size(); ++s) {
    const std::string where = "split " + std::to_string(s + 1);
    if (rows[s].train.empty() && rows.size() > 1) return where + " has no training rows";
    std::string problem = FindRangeProblem(view, rows[s], where);
    if (!problem.empty()) return problem;
  }
  return "";
}

std::string FindListProblemOf(const DataView& view, const SplitRows& split, std::size_t number,
                              Testers& testers) {
  const std::string where = "split " + std::to_string(number);
  if (split.train.empty()) return where + " has no training rows";
  std::string problem = FindRangeProblem(view, split, where);
  if (!problem.empty()) return problem;
  for (const std::int64_t position : split.test) {
    std::size_t& tester = testers.of_position(position);
    if (tester == number) {
      return "position " + std::to_string(position + 1) + " is tested twice in " + where;
    }
    tester = number;
    testers.of_row(view.row_id(position)) = number;
  }
  for (const std::int64_t position : split.train) {
    if (testers.of_row(view.row_id(position)) == number) {
      return RowText(view.row_id(position)) + " is both trained on and tested in " + where;
    }
  }
  return "";
}

[[noreturn]] void ThrowCannotSplit(const DataView& view, const std::string& problem) {
  throw Error(ErrorKind::kInvalidArgument, "cannot split dataset '" + view.data->name() + "' (" +
                                               std::to_string(view.num_rows()) +
                                               " rows): " + problem);
}

// Whether partitions of the same content divide the same rows in the same way; nothing if that
// takes a look at each split. Splits of leave-one-out have too many rows in all for that.
std::optional<bool> HaveSamePartitions(const SplitPlan& a, const SplitPlan& b) {
  if (a.partitions().empty() || a.partitions().size() != b.partitions().size()) return {};
  if ((a.view().rows == nullptr) != (b.view().rows == nullptr)) return {};
  if (a.view().rows && (*a.view().rows != *b.view().rows || !IsStrictlyAscending(*a.view().rows))) {
    return {};
  }
  for (std::size_t r = 0; r < a.partitions().size(); ++r) {
    if (a.partitions()[r].n_folds != b.partitions()[r].n_folds) return {};
    if (a.partitions()[r].fold_of_row != b.partitions()[r].fold_of_row) return false;
  }
  return true;
}

// Returns lists of rows for lists of positions.
ListedRows ToRowIds(const DataView& view, ListedRows positions) {
  if (!view.rows) return positions;
  SplitRows rows = positions.Rows();
  for (std::vector<std::int64_t>* part : {&rows.train, &rows.test}) {
    for (std::int64_t& position : *part) position = view.row_id(position);
  }
  return {view.data->num_rows(), rows.train, rows.test};
}

// Packs lists, and forgets each when it is packed.
std::vector<ListedRows> Packed(std::int64_t n_rows, std::vector<SplitRows> lists) {
  std::vector<ListedRows> packed;
  packed.reserve(lists.size());
  for (SplitRows& split : lists) {
    packed.emplace_back(n_rows, split.train, split.test);
    split = {};
  }
  return packed;
}

bool IsAscendingBelow(std::span<const std::int64_t> rows, std::int64_t n_rows) {
  if (rows.empty()) return true;
  return rows.front() >= 0 && rows.back() < n_rows && IsStrictlyAscending(rows);
}

}  // namespace

std::string FindPartitionProblem(const DataView& view, std::span<const Partition> repeats) {
  std::string problem = FindViewProblem(view);
  if (!problem.empty()) return problem;
  if (repeats.empty()) return "there are no splits";
  for (std::size_t r = 0; r < repeats.size(); ++r) {
    problem = FindFoldProblem(repeats[r], view.num_rows(), r);
    if (!problem.empty()) return problem;
  }
  return FindRepeatedRowProblem(view, repeats);
}

std::string FindListProblem(const DataView& view, std::span<const ListedRows> positions) {
  std::string problem = FindViewProblem(view);
  if (!problem.empty()) return problem;
  if (positions.empty()) return "there are no splits";
  const bool has_each_once = !view.rows || IsStrictlyAscending(*view.rows);
  Testers testers(view);
  for (std::size_t s = 0; s < positions.size(); ++s) {
    const bool is_sound = positions[s].is_dense() && has_each_once &&
                          positions[s].num_train() > 0 && positions[s].num_test() > 0;
    if (is_sound) continue;
    problem = FindListProblemOf(view, positions[s].Rows(), s + 1, testers);
    if (!problem.empty()) return problem;
  }
  return "";
}

std::shared_ptr<const SplitPlan> SplitPlan::FromPartitions(DataView view,
                                                           std::vector<Partition> repeats,
                                                           std::vector<std::string> notes) {
  const std::string problem = FindPartitionProblem(view, repeats);
  if (!problem.empty()) ThrowCannotSplit(view, problem);
  const std::shared_ptr<SplitPlan> plan(new SplitPlan);
  plan->view_ = std::move(view);
  plan->repeats_ = std::move(repeats);
  plan->notes_ = std::move(notes);
  std::int64_t most_test_rows = 0;
  for (const Partition& partition : plan->repeats_) {
    plan->first_split_.push_back(plan->n_splits_);
    plan->n_splits_ += partition.n_folds;
    most_test_rows = std::max(most_test_rows, std::ranges::max(CountFoldRows(partition)));
  }
  plan->min_train_rows_ = plan->view_.num_rows() - most_test_rows;
  return plan;
}

std::shared_ptr<const SplitPlan> SplitPlan::FromLists(DataView view,
                                                      std::vector<SplitRows> positions,
                                                      std::vector<std::string> notes) {
  const std::int64_t n_rows = view.num_rows();
  return FromListedRows(std::move(view), Packed(n_rows, std::move(positions)), std::move(notes));
}

std::shared_ptr<const SplitPlan> SplitPlan::FromListedRows(DataView view,
                                                           std::vector<ListedRows> positions,
                                                           std::vector<std::string> notes) {
  const std::string problem = FindListProblem(view, positions);
  if (!problem.empty()) ThrowCannotSplit(view, problem);
  const std::shared_ptr<SplitPlan> plan(new SplitPlan);
  plan->view_ = std::move(view);
  for (ListedRows& split : positions) split = ToRowIds(plan->view_, std::move(split));
  plan->notes_ = std::move(notes);
  plan->TakeLists(std::move(positions));
  return plan;
}

std::shared_ptr<const SplitPlan> SplitPlan::TestOnly(DataView view) {
  const std::string problem = FindViewProblem(view);
  if (!problem.empty()) ThrowCannotSplit(view, problem);
  const std::shared_ptr<SplitPlan> plan(new SplitPlan);
  plan->view_ = std::move(view);
  SplitRows rows;
  for (std::int64_t i = 0; i < plan->view_.num_rows(); ++i) {
    rows.test.push_back(plan->view_.row_id(i));
  }
  plan->TakeLists({ListedRows(plan->view_.data->num_rows(), rows.train, rows.test)});
  return plan;
}

std::shared_ptr<const SplitPlan> SplitPlan::FromRows(std::shared_ptr<const Dataset> data,
                                                     std::vector<SplitRows> rows) {
  const std::shared_ptr<SplitPlan> plan(new SplitPlan);
  plan->view_ = {std::move(data), nullptr};
  const std::string problem = FindRowProblem(plan->view_, rows);
  if (!problem.empty()) ThrowCannotSplit(plan->view_, problem);
  plan->TakeLists(Packed(plan->view_.num_rows(), std::move(rows)));
  return plan;
}

void SplitPlan::TakeLists(std::vector<ListedRows> rows) {
  lists_ = std::move(rows);
  n_splits_ = static_cast<std::int64_t>(lists_.size());
  min_train_rows_ = static_cast<std::int64_t>(lists_.front().num_train());
  for (const ListedRows& split : lists_) {
    min_train_rows_ = std::min(min_train_rows_, static_cast<std::int64_t>(split.num_train()));
  }
}

ListedRows::ListedRows(std::int64_t n_rows, std::span<const std::int64_t> train,
                       std::span<const std::int64_t> test)
    : n_train_(train.size()), n_test_(test.size()) {
  constexpr std::int64_t kShare = 16;  // with fewer rows than that, lists take less memory
  const bool is_much = std::ssize(train) + std::ssize(test) >= n_rows / kShare;
  if (is_much && IsAscendingBelow(train, n_rows) && IsAscendingBelow(test, n_rows)) {
    part_of_row_.resize(static_cast<std::size_t>(n_rows));
    for (const std::int64_t row : train) part_of_row_[static_cast<std::size_t>(row)] = 1;
    bool is_disjoint = true;
    for (const std::int64_t row : test) {
      std::uint8_t& part = part_of_row_[static_cast<std::size_t>(row)];
      is_disjoint = is_disjoint && part == 0;
      part = 2;
    }
    if (is_disjoint) return;
    part_of_row_ = {};
  }
  lists_ = {{train.begin(), train.end()}, {test.begin(), test.end()}};
}

SplitRows ListedRows::Rows() const {
  if (!is_dense()) return lists_;
  SplitRows rows;
  rows.train.reserve(n_train_);
  rows.test.reserve(n_test_);
  for (std::size_t row = 0; row < part_of_row_.size(); ++row) {
    if (part_of_row_[row] == 0) continue;
    (part_of_row_[row] == 1 ? rows.train : rows.test).push_back(static_cast<std::int64_t>(row));
  }
  return rows;
}

std::vector<std::int64_t> ListedRows::TestRows() const {
  if (!is_dense()) return lists_.test;
  std::vector<std::int64_t> rows;
  rows.reserve(n_test_);
  for (std::size_t row = 0; row < part_of_row_.size(); ++row) {
    if (part_of_row_[row] == 2) rows.push_back(static_cast<std::int64_t>(row));
  }
  return rows;
}

std::int64_t SplitPlan::repeat_of(std::int64_t split) const {
  assert(split >= 0 && split < n_splits_);
  if (repeats_.empty()) return 0;
  const auto next = std::upper_bound(first_split_.begin(), first_split_.end(), split);
  return static_cast<std::int64_t>(next - first_split_.begin()) - 1;
}

std::int64_t SplitPlan::fold_of(std::int64_t split) const {
  if (repeats_.empty()) return split;
  return split - first_split_[static_cast<std::size_t>(repeat_of(split))];
}

SplitRows SplitPlan::Rows(std::int64_t split) const {
  assert(split >= 0 && split < n_splits_);
  if (repeats_.empty()) return lists_[static_cast<std::size_t>(split)].Rows();
  const std::vector<std::int32_t>& folds =
      repeats_[static_cast<std::size_t>(repeat_of(split))].fold_of_row;
  const auto fold = static_cast<std::int32_t>(fold_of(split));
  // Both lists are written at each row, and grow for one of them: a branch would be mispredicted.
  const auto n_test = static_cast<std::size_t>(std::count(folds.begin(), folds.end(), fold));
  SplitRows rows;
  rows.train.resize(folds.size() - n_test + 1);
  rows.test.resize(n_test + 1);
  std::size_t train = 0, test = 0;
  for (std::size_t i = 0; i < folds.size(); ++i) {
    const std::int64_t id = view_.row_id(static_cast<std::int64_t>(i));
    rows.train[train] = id;
    rows.test[test] = id;
    (folds[i] == fold ? test : train) += 1;
  }
  rows.train.pop_back();
  rows.test.pop_back();
  if (view_.rows && !std::is_sorted(rows.train.begin(), rows.train.end())) {
    std::sort(rows.train.begin(), rows.train.end());
  }
  return rows;
}

std::vector<std::int64_t> SplitPlan::TestRows(std::int64_t split) const {
  assert(split >= 0 && split < n_splits_);
  if (repeats_.empty()) return lists_[static_cast<std::size_t>(split)].TestRows();
  const Partition& partition = repeats_[static_cast<std::size_t>(repeat_of(split))];
  const auto fold = static_cast<std::int32_t>(fold_of(split));
  std::vector<std::int64_t> rows;
  rows.reserve(partition.fold_of_row.size() / static_cast<std::size_t>(partition.n_folds) + 1);
  for (std::size_t i = 0; i < partition.fold_of_row.size(); ++i) {
    if (partition.fold_of_row[i] == fold)
      rows.push_back(view_.row_id(static_cast<std::int64_t>(i)));
  }
  return rows;
}

bool HaveSameSplits(const SplitPlan& a, const SplitPlan& b, const CancelToken* cancel) {
  if (&a == &b) return true;
  if (a.size() != b.size() || a.view().data->content_hash() != b.view().data->content_hash()) {
    return false;
  }
  if (const std::optional<bool> same = HaveSamePartitions(a, b)) return *same;
  for (std::int64_t s = 0; s < a.size(); ++s) {
    StopIfCancelled(cancel);
    const SplitRows rows_a = a.Rows(s);
    const SplitRows rows_b = b.Rows(s);
    if (rows_a.train != rows_b.train || rows_a.test != rows_b.test) return false;
  }
  return true;
}

}  // namespace crossfold
