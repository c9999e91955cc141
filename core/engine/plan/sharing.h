// Shared work of the cells of a batch. The batch becomes a list of items, each of which one worker
// does. The items never change a result, because every way to compute a cell gives the same bytes.
// Learners that declare a tolerance are the exception: all their cells on partitions take the same
// route (Route::kCross, Route::kIncremental), whatever else is in the batch.
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
  kAlone,       // each cell is a fit of its own
  kShared,      // cells of one split: equal transforms once, equal learners once, fit-path
  kCross,       // all folds of one repeat of a partition in one call: cross-predict
  kIncremental  // all folds of one repeat: one fit of all rows, from which each fold is taken out
};

inline constexpr std::uint32_t kNoPreparation = 0xFFFFFFFFu;

// What one worker does in one go: splits split .. split + n_splits - 1 of some blocks. It is not a
// block, as it goes across blocks that share work. kAlone has one block, kShared one split.
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
  double uses = 0;  // how often all rows of the dataset are used with it for training or testing
};
// Minimum number of uses that makes a structure worth preparing; a learner that tests all rows only
// once does not need it. An existing structure is always used.
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
  int workers = 1;    // items are divided to give this number of workers work, if that costs little
  int cores = 0;      // folds that share a pass are divided for no more workers; 0 = no limit
  // Data whose copy takes more bytes than this are neither prepared nor predicted across folds,
  // unless that is part of the cells' definition; 0 = unlimited.
  std::uint64_t largest_copy = 0;
  bool asks = true;  // false: the cells run in other processes, and no plugin is called here
};

// Groups the cells of a batch. Each cell is in exactly one item.
WorkList PlanWork(std::span<const CellBlock> blocks, const SharingOptions& options);

// Whether a cell's predictions need probabilities.
bool WantsProbabilities(const CellBlock& block);

// Appends a value to a key. Equal values, and no others, have equal bytes.
void AppendValue(std::string& key, const Value& value);

// Returns the identity of a learner without the parameters that its fit-path/1, if it offers it,
// serves at once. Learners of one family that get the same seed are fitted together.
std::string FamilyKey(const Spec& learner);
// StepKey returns the identity of any step, SeedKey that of its random numbers, which is empty if
// the step declares that its seed does not matter.
std::string StepKey(const Spec& step);
std::string SeedKey(const Component& component, std::uint64_t seed);

// Whether a learner's cells on partitions go through crossfold.cross-predict/1, or
// crossfold.incremental/1 by taking rows out.
bool CanCrossPredict(const Component& learner);
bool CanTakeRowsOut(const Component& learner);
// Returns by how much this may change their results; 0 = not at all.
double ToleranceOf(const Component& learner);

}  // namespace crossfold
