// Which shards of a run (shard.h) have not come to their end, by the stores that they keep.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "crossfold/cell_store.h"

namespace crossfold {

// Records that the current run of the store has computed everything that belongs to shard `number`
// of `count`. Throws Error(kIo) if the store lacks any of it.
void RecordShard(CellStore& store, int number, int count);

// Is called for a store that cannot be read: its shard counts as missing. May be empty.
using StoreWarning = std::function<void(const std::string& message)>;

// Returns the shards of 1 .. `count`, ascending, of which no store records the end. A folder stands
// for its files *.cfdb. The newest run of all stores says which script, arguments and seed are
// meant; in each store the last run counts. `count` 0 = as many as the stores record. Throws Error
// if a store does not exist, or if the stores do not record one number of shards.
std::vector<int> FindMissingShards(std::span<const std::filesystem::path> stores, int count,
                                   const StoreWarning& warn = {});

// Numbers as `sbatch --array` takes them: "3,7-9". REQUIRES: they are ascending.
std::string ArrayText(std::span<const int> numbers);

}  // namespace crossfold
