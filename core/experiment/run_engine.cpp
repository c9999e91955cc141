#include "crossfold/run_engine.h"

#include <cassert>
#include <span>
#include <utility>

#include "crossfold/score.h"

namespace crossfold {
namespace {

RunEngine PlainEngine() {
  return [](std::span<const CellBlock> blocks, const RunOptions& options, const TakeOutcome& take) {
    RunAndScore(blocks, options, take);
  };
}

RunEngine IsolatedEngine(std::shared_ptr<WorkerProcesses> workers) {
  return [workers = std::move(workers)](std::span<const CellBlock> blocks,
                                        const RunOptions& options, const TakeOutcome& take) {
    RunIsolated(*workers, blocks, options, take);
  };
}

RunEngine StoredEngine(std::shared_ptr<CellStore> store, RunEngine engine) {
  return [store = std::move(store), engine = std::move(engine)](
             std::span<const CellBlock> blocks, const RunOptions& options,
             const TakeOutcome& take) { RunStored(*store, blocks, options, engine, take); };
}

RunEngine ShardedEngine(std::shared_ptr<ShardDivision> division, RunEngine mine, RunEngine others) {
  return [division = std::move(division), mine = std::move(mine), others = std::move(others)](
             std::span<const CellBlock> blocks, const RunOptions& options,
             const TakeOutcome& take) { RunShard(*division, blocks, options, mine, others, take); };
}

}  // namespace

RunEngine MakeEngine(EngineParts parts) {
  RunEngine engine = parts.executor  ? std::move(parts.executor)
                     : parts.workers ? IsolatedEngine(std::move(parts.workers))
                                     : PlainEngine();
  if (parts.wrap) engine = parts.wrap(std::move(engine));
  if (parts.store == nullptr) {
    assert(parts.division == nullptr);
    return engine;
  }
  engine = StoredEngine(parts.store, std::move(engine));
  if (parts.division == nullptr) return engine;
  return ShardedEngine(std::move(parts.division), std::move(engine),
                       StoredEngine(std::move(parts.store), &LeaveToOtherShards));
}

}  // namespace crossfold
