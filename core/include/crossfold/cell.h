// A cell is the unit of work: one learner with one setting, trained and tested on one split.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/pipeline.h"
#include "crossfold/split.h"

namespace crossfold {

enum class Keep { kNothing, kLabels, kProbabilities };

// The process that fits and predicts a cell: this one, a worker process that runs one work item
// after another, or a new one. kAuto is this process if all of its plugins are bundled, or
// run in a process of their own, else a worker process. The mode never changes a result.
enum class Isolation { kNone, kWorker, kFresh, kAuto };
inline constexpr std::string_view kIsolationNames = "auto, none, worker, fresh";
// Parses "none", "worker", "fresh" or "auto"; nullopt for another name.
std::optional<Isolation> IsolationNamed(std::string_view name);

// How a cell belongs to the shards of a run (shard.h). Cells are divided, unless they are part of
// something that one shard does as a whole, such as a search on one outer fold.
enum class ShardPart { kDivided, kOwn, kOther };

// The purpose of cells, in the experiment's words. It is kept in stores and is never part of a
// result or key.
struct CellPurpose {
  std::string learner;  // its name in the experiment, such as "tuned_knn"
  std::string dataset;  // its name
  bool inner = false;   // the cell serves a choice inside the training rows and is not a score of
                        // the experiment
  ShardPart part = ShardPart::kDivided;  // not kept in stores

  friend bool operator==(const CellPurpose&, const CellPurpose&) = default;
};

using MetricList = std::vector<std::shared_ptr<const Spec>>;

// One cell by itself, as a host lists the cells for RunCells and RunAndScore. The engine works on
// blocks: ToBlocks makes them.
struct Cell {
  std::shared_ptr<const Pipeline> learner;
  std::shared_ptr<const SplitPlan> splits;
  std::int64_t split = 0;
  // The fit's seed is SeedOfPath(seed, {"repeat", r, "fold", f, "fit"}), and so for every step.
  std::uint64_t seed = 0;
  std::shared_ptr<const MetricList> metrics;  // null = none
  Keep keep = Keep::kNothing;                 // what of the predictions stays in the outcome
  Isolation isolation = Isolation::kNone;
  std::shared_ptr<const CellPurpose> purpose = nullptr;  // null = not given
};

// The cells of one learner on `count` consecutive splits, starting at `first`. This is the shape in
// which cells are handed from layer to layer: what is the same for all of them is stored once, so
// that a batch of a million cells is small.
struct CellBlock {
  std::shared_ptr<const Pipeline> learner;
  std::shared_ptr<const SplitPlan> splits;
  std::int64_t first = 0;
  std::int64_t count = 1;
  std::uint64_t seed = 0;
  std::shared_ptr<const MetricList> metrics;
  Keep keep = Keep::kNothing;
  Isolation isolation = Isolation::kNone;
  std::shared_ptr<const CellPurpose> purpose = nullptr;
};

// Appends cells; they become part of the last block if they continue it.
void AppendCells(std::vector<CellBlock>& blocks, const CellBlock& cells);

// Returns the same cells in the same order; consecutive cells that fit together become one block.
std::vector<CellBlock> ToBlocks(std::span<const Cell> cells);

// Refuses, before anything runs, what cannot work on any split: a step for another task, a step
// that does not accept the dataset's row weights, features or missing cells that the first step
// does not accept (later steps see what transforms make of them), and a dataset without rows.
// Throws Error.
void CheckCompatible(const Pipeline& learner, const Dataset& data);

// Refuses splits without training rows (SplitPlan::TestOnly), on which nothing can be fitted. Throws
// Error.
void RequireTrainingRows(const SplitPlan& splits);

}  // namespace crossfold
