// The stores and worker processes of one lua_State, and engines made of them. Both are made when
// the first call needs them and serve all later ones.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bindings/lua/memory_budget.h"
#include "bindings/lua/run_settings.h"
#include "crossfold/cell_store.h"
#include "crossfold/isolation.h"
#include "crossfold/lua.h"
#include "crossfold/run.h"
#include "crossfold/run_engine.h"

namespace crossfold::lua {

class RunEngines {
 public:
  // A `budget`, which must outlive this, bounds the memory of worker processes.
  explicit RunEngines(MemoryBudget* budget = nullptr) noexcept : budget_(budget) {}

  // Makes the engine that runs `blocks` with `settings`: the options' executor, worker processes if
  // a block asks for one, or this process, for the cells that the store lacks; in a shard only its
  // cells. It is empty if none of this applies. Throws Error if the store cannot be opened.
  RunEngine For(const LuaOptions& options, const RunSettings& settings,
                std::span<const CellBlock> blocks, const LogSink& log, const WrapEngine& wrap = {});
  // The store of `settings`; null = none. Throws Error if it cannot be opened.
  std::shared_ptr<CellStore> StoreFor(const LuaOptions& options, const RunSettings& settings,
                                      const LogSink& log);
  // The same if it is open, with the options that it has; null = it is not.
  std::shared_ptr<CellStore> FindStore(const RunSettings& settings) const;
  // What the store of `settings` lacks (CellStore::problem); "" = nothing, or no store is open.
  std::string StoreProblem(const RunSettings& settings) const;
  // Puts everything that is finished on the disk. Throws Error(kIo).
  void Flush();
  // The store of the shard in `options`. REQUIRES: there is a shard.
  ShardDivision& DivisionOf(const LuaOptions& options);
  std::vector<LuaStoreUse> store_uses() const;

 private:
  struct OpenStore {
    std::filesystem::path file;  // absolute, without links
    std::string path;            // as it was given first
    std::uint64_t prediction_bytes = 0;
    OnStoreError on_error = OnStoreError::kContinue;
    std::shared_ptr<CellStore> store;
    CellStore::Counts before;  // of the same file opened with other options
  };

  std::shared_ptr<WorkerProcesses> WorkersFor(const LuaOptions& options, CellLimits limits);
  void LimitRetries(RetryOptions& retry) const;
  void Open(OpenStore& entry, const LuaOptions& options, const LogSink& log);

  MemoryBudget* budget_;
  std::shared_ptr<ShardDivision> division_;
  std::vector<OpenStore> stores_;
  std::shared_ptr<WorkerProcesses> workers_;  // with the limits of the last call
};

}  // namespace crossfold::lua
