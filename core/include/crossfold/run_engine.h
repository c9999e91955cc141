// What computes the cells of a run: this process, worker processes or other machines, and before
// them a store and the division into shards. This is the one place that puts them together.
#pragma once

#include <functional>
#include <memory>

#include "crossfold/cell_store.h"
#include "crossfold/isolation.h"
#include "crossfold/retry.h"
#include "crossfold/run.h"
#include "crossfold/shard.h"

namespace crossfold {

// Puts something around an engine, such as a reporter of progress.
using WrapEngine = std::function<RunEngine(RunEngine)>;

struct EngineParts {
  // For blocks that ask for a process (IsolationOf); null = all cells run in this process.
  std::shared_ptr<WorkerProcesses> workers = nullptr;
  // Computes all cells under `limits` in place of this process and its workers; may be empty.
  LimitedEngine executor = nullptr;
  CellLimits limits = {};
  RetryOptions retry = {};  // of cells that failed because of the machine
  // Put around what computes, so that it sees only the cells that the store lacks; may be empty.
  WrapEngine wrap = nullptr;
  // Gives the cells that it has, and keeps those that are computed; null = no store.
  std::shared_ptr<CellStore> store = nullptr;
  // Computes the cells of one shard only. Null = all cells. REQUIRES: there is a store.
  std::shared_ptr<ShardDivision> division = nullptr;
};

// The engine keeps its parts alive, and is as thread-safe as they are.
RunEngine MakeEngine(EngineParts parts);

}  // namespace crossfold
