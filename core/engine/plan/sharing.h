// What cells of a batch share: the batch becomes a list of items, each of which one worker does.
// Which items there are never changes a result: every way to compute a cell gives the same bytes.
// The exception are learners that declare a tolerance: all their cells on partitions go the same
// way (Route::kCross, Route::kIncremental), whatever else is in the batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "crossfold/cell.h"

namespace crossfold {

enum class Route {
  kAlone,       // every cell a fit of its own
  kShared,      // cells of one split: equal transforms once, equal learners once, fit-path
  kCross,       // all folds of one repeat of a partition in one call: cross-predict
  kIncremental  // all folds of one repeat: one fit of all rows, from which each fold is taken out
};

inline constexpr std::uint32_t kNoPreparation = 0xFFFFFFFFu;

// Splits split .. split + n_splits - 1 of some blocks. kAlone: one block; kShared: one split.
struct WorkItem {
  Route route = Route::kAlone;
  std::uint32_t first_block = 0, n_blocks = 0;  // in WorkList::blocks
  std::uint32_t preparation = kNoPreparation;   // in WorkList::preparations
  std::int64_t split = 0, n_splits = 1;
  double cost = 0;  // for the order only: entries of training rows times cells
};

// A structure that a learner prepares once for a whole dataset (crossfold.prepare/1).
struct Preparation {
  std::shared_ptr<const Dataset> data;
  std::shared_ptr<const Spec> learner;  // any of those that share it
  std::string key;                      // of the learner and its CF_PF_PREPARE parameters
  double uses = 0;  // how often all rows of the dataset are trained on or tested with it
};
// It is worth making from this many uses on: a learner that tests all rows only once does as well
// without. One that exists is used anyway.
inline constexpr double kWorthPreparing = 1.5;

struct WorkList {
  std::vector<std::uint32_t> blocks;  // indices into the batch
  std::vector<WorkItem> items;        // in the order of the batch
  std::vector<Preparation> preparations;

  std::span<const std::uint32_t> BlocksOf(const WorkItem& item) const {
    return std::span(blocks).subspan(item.first_block, item.n_blocks);
  }
};

struct SharingOptions {
  bool share = true;  // false: every cell alone
  int workers = 1;    // items are cut so that so many have work, where that costs little
};

// Groups the cells of a batch. Every cell is in exactly one item.
WorkList PlanWork(std::span<const CellBlock> blocks, const SharingOptions& options);

// Whether a cell's predictions are to have probabilities.
bool WantsProbabilities(const CellBlock& block);

// Makes a value part of a key: equal values, and no others, have equal bytes.
void AppendValue(std::string& key, const Value& value);

// The identity of a learner but for the parameters that fit-path/1 serves at once, if it offers it.
// Learners of one family that get the same seed are fitted together.
std::string FamilyKey(const Spec& learner);
// The identity of any step, and of the rest of the random numbers that it gets: empty if it
// declares that its seed does not matter.
std::string StepKey(const Spec& step);
std::string SeedKey(const Component& component, std::uint64_t seed);

// Whether a learner's cells on partitions go through crossfold.cross-predict/1, or
// crossfold.incremental/1 by taking rows out.
bool CanCrossPredict(const Component& learner);
bool CanTakeRowsOut(const Component& learner);
// By how much that may change their results; 0 = not at all.
double ToleranceOf(const Component& learner);

}  // namespace crossfold
