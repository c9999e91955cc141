// Splits are values. They are planned once, shared by all learners of a comparison, and can be used
// again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "crossfold/cancel_token.h"
#include "crossfold/dataset.h"
#include "crossfold/log_sink.h"
#include "crossfold/spec.h"

namespace crossfold {

// Row ids of the dataset (0-based). Training rows ascend for a partition and are as given
// otherwise.
struct SplitRows {
  std::vector<std::int64_t> train;
  std::vector<std::int64_t> test;
};

// One fold number per position and repeat; split f tests the positions with fold f and trains on
// all others; -1 = always trained on.
struct Partition {
  std::vector<std::int32_t> fold_of_row;
  std::int32_t n_folds = 0;
};

// The rows of one split of a plan that is made from lists. Lists that ascend and have much of the
// rows, as those of a holdout, take one byte per row of the data; others 8 bytes per row in them.
class ListedRows {
 public:
  // Copies the lists; `n_rows` is the number of rows that they may be of.
  ListedRows(std::int64_t n_rows, std::span<const std::int64_t> train,
             std::span<const std::int64_t> test);
  // Returns the lists in the order in which they were given.
  SplitRows Rows() const;
  std::vector<std::int64_t> TestRows() const;
  std::size_t num_train() const { return n_train_; }
  std::size_t num_test() const { return n_test_; }
  // Whether the lists are known to ascend, to be disjoint and to be in 0 .. n_rows - 1.
  bool is_dense() const { return !part_of_row_.empty(); }

 private:
  std::size_t n_train_, n_test_;
  std::vector<std::uint8_t>
      part_of_row_;  // 0 = neither, 1 = training, 2 = test; empty = see lists_
  SplitRows lists_;
};

// All splits of the rows of one view. A plan is immutable. Partitions take 4 bytes per row and
// repeat.
class SplitPlan {
 public:
  // Throws Error if a partition or a list does not fit the view, that is, for a wrong length, empty
  // folds, empty training sets, rows out of range, and rows in both parts.
  static std::shared_ptr<const SplitPlan> FromPartitions(DataView view,
                                                         std::vector<Partition> repeats,
                                                         std::vector<std::string> notes = {});
  // Takes positions in the view (0-based), not row ids. Training lists may repeat positions. A
  // position that one split tests twice is refused, because it would count twice in the scores.
  static std::shared_ptr<const SplitPlan> FromLists(DataView view, std::vector<SplitRows> positions,
                                                    std::vector<std::string> notes = {});
  // Does the same with lists of positions that are packed already.
  static std::shared_ptr<const SplitPlan> FromListedRows(DataView view,
                                                         std::vector<ListedRows> positions,
                                                         std::vector<std::string> notes = {});
  // One split that tests all rows and trains on none, for predictions that were made elsewhere.
  // Cells cannot run on it. Throws Error if there are no rows.
  static std::shared_ptr<const SplitPlan> TestOnly(DataView view);
  // Takes what Rows() of another plan returned, on all rows of the dataset. Throws Error for rows
  // out of range and for empty parts, except the training rows of a single split, as of TestOnly. A
  // row may be tested twice, as in a view that contains it twice.
  static std::shared_ptr<const SplitPlan> FromRows(std::shared_ptr<const Dataset> data,
                                                   std::vector<SplitRows> rows);

  const DataView& view() const { return view_; }
  std::int64_t size() const { return n_splits_; }
  // Repeats and folds are 0-based. Explicit lists count as folds of repeat 0.
  std::int64_t repeat_of(std::int64_t split) const;
  std::int64_t fold_of(std::int64_t split) const;
  // Makes the rows on demand in O(rows), with a sort if the view's rows do not ascend.
  SplitRows Rows(std::int64_t split) const;
  // Returns the test rows of Rows(), without making the others.
  std::vector<std::int64_t> TestRows(std::int64_t split) const;
  // The fewest training rows of any split; 0 only of TestOnly.
  std::int64_t min_train_rows() const { return min_train_rows_; }

  // Messages of the splitter that a reader of the scores should know.
  const std::vector<std::string>& notes() const { return notes_; }

  // The partitions; empty if the plan was made from lists. And the lists, by split; else empty.
  const std::vector<Partition>& partitions() const { return repeats_; }
  const std::vector<ListedRows>& lists() const { return lists_; }

 private:
  SplitPlan() = default;
  void TakeLists(std::vector<ListedRows> rows);

  DataView view_;
  std::vector<Partition> repeats_;
  std::vector<std::int64_t> first_split_;  // of each repeat
  std::vector<ListedRows> lists_;          // row ids
  std::vector<std::string> notes_;
  std::int64_t n_splits_ = 0;
  std::int64_t min_train_rows_ = 0;
};

// Whether both plans have the same splits of the same content, that is, the same number of splits,
// each with the same training and test rows in the same order.
bool HaveSameSplits(const SplitPlan& a, const SplitPlan& b, const CancelToken* cancel = nullptr);

// Asks a splitter for splits. It sees the rows of `view` as 0 .. n-1 with target, groups, time,
// folds and weights, never features. Equal inputs and seeds give equal plans on every machine.
// Throws Error if the splitter refuses (it never does less than was requested) or emits invalid
// splits. What the splitter logs, and warnings about it, go to `log` (may be empty); what it logs
// at CF_LOG_INFO or above is a note of the plan, too.
std::shared_ptr<const SplitPlan> MakeSplits(const Spec& splitter, const DataView& view,
                                            std::uint64_t seed, const CancelToken* cancel = nullptr,
                                            const LogSink& log = LogSink());

// Returns the same test rows with fewer training rows: ceil(share * n) of the n training rows of
// each split. With the same seed, a smaller share keeps a subset of what a greater one keeps.
// Classes keep their shares as closely as whole rows allow. Takes O(rows log rows) per split.
// REQUIRES: 0 < share <= 1.
std::shared_ptr<const SplitPlan> ShrinkTraining(const SplitPlan& plan, double share,
                                                std::uint64_t seed);

}  // namespace crossfold
