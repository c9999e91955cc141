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

// Runs cells in `workers`, or in others where the limits differ.
LimitedEngine EngineOfWorkers(std::shared_ptr<WorkerProcesses> workers) {
  return [workers = std::move(workers)](const CellLimits& limits) {
    if (limits == workers->options().limits) return IsolatedEngine(workers);
    IsolationOptions options = workers->options();
    options.limits = limits;
    return IsolatedEngine(std::make_shared<WorkerProcesses>(std::move(options)));
  };
}

// What computes the cells, without a store.
RunEngine ComputingEngine(EngineParts& parts) {
  if (parts.executor) return WithRetries(std::move(parts.executor), parts.limits, parts.retry);
  if (!parts.workers) {
    return WithRetries([](const CellLimits&) { return PlainEngine(); }, {}, parts.retry);
  }
  const CellLimits limits = parts.workers->options().limits;
  return WithRetries(EngineOfWorkers(std::move(parts.workers)), limits, parts.retry);
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
  RunEngine engine = ComputingEngine(parts);
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
