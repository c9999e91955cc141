// A shard is a part of the cells of a run, for a process that computes only that part, such as one
// task of a job array of Slurm or another scheduler. All shards run the same program with the same
// seed; each has a store of its own, and MergeStores (store_merge.h) merges these.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "crossfold/cell.h"
#include "crossfold/outcome.h"
#include "crossfold/run.h"
#include "crossfold/shard_costs.h"

namespace crossfold {

// Shard `number` of `count`; shards count from 1.
struct Shard {
  int number = 1, count = 1;
};

// Parses a text such as "2/10". Throws Error(kInvalidArgument) if it is not a shard.
Shard ParseShard(const std::string& text);

// Decides which shard computes which cells. All shards get the same answer if they ask for the same
// cells and tasks in the same order, whatever is in their stores already. Not thread-safe.
class ShardDivision {
 public:
  // With `costs`, the same for all shards, they get about the same time.
  explicit ShardDivision(Shard shard, ShardCosts costs = {});

  const Shard& shard() const { return shard_; }
  // Returns, for each cell, counted over all blocks, whether it belongs to this shard
  // (CellPurpose::part). Cells that share work stay together if that saves much work; all shards
  // get about the same time or, without costs, the same number of entries of training rows.
  // `share`: RunOptions::share.
  std::vector<bool> Divide(std::span<const CellBlock> blocks, bool share);
  // Whether the next piece of work that cannot be divided, such as a search on one outer fold,
  // belongs to this shard: with costs it goes to the shard that has the least to do, without them
  // the shards take turns. The names are those of the experiment.
  bool TakeTask(const std::string& dataset = "", const std::string& learner = "");

 private:
  double CostOf(const CellBlock& block) const;

  Shard shard_;
  ShardCosts costs_;
  std::vector<double> loads_;  // cost that each shard has
  int next_task_ = 1;
};

// Runs the cells of this shard by `engine`. Those of other shards go to `others`, such as a store
// before LeaveToOtherShards. REQUIRES: as RunAndScore.
void RunShard(ShardDivision& division, std::span<const CellBlock> blocks, const RunOptions& options,
              const RunEngine& engine, const RunEngine& others, const TakeOutcome& take);
// Gives every cell an outcome with status kElsewhere. A RunEngine.
void LeaveToOtherShards(std::span<const CellBlock> blocks, const RunOptions& options,
                        const TakeOutcome& take);

}  // namespace crossfold
