#include "bindings/lua/run_engines.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include "crossfold/error.h"

namespace crossfold::lua {
namespace {

// The same name for all paths to a file.
std::filesystem::path FileOf(const std::string& path) {
  std::error_code failure;
  const std::filesystem::path file = std::filesystem::absolute(path);
  const std::filesystem::path real = std::filesystem::weakly_canonical(file, failure);
  return failure ? file.lexically_normal() : real;
}

}  // namespace

RunEngine RunEngines::For(const LuaOptions& options, const RunSettings& settings,
                          std::span<const CellBlock> blocks, const LogSink& log,
                          const WrapEngine& wrap) {
  const std::shared_ptr<CellStore> store = StoreFor(options, settings, log);
  const bool isolated = std::any_of(blocks.begin(), blocks.end(), [&](const CellBlock& block) {
    return IsolationOf(block, settings.limits) != Isolation::kNone;
  });
  if (store == nullptr && !isolated && !options.executor && !wrap) return nullptr;
  EngineParts parts{
      .limits = settings.limits, .retry = settings.retry, .wrap = wrap, .store = store};
  if (options.executor) {
    parts.executor = options.executor;
  } else if (isolated) {
    parts.workers = WorkersFor(options, settings.limits);
    LimitRetries(parts.retry);
  }
  if (store != nullptr && options.shard) {
    DivisionOf(options);
    parts.division = division_;
  }
  return MakeEngine(std::move(parts));
}

ShardDivision& RunEngines::DivisionOf(const LuaOptions& options) {
  if (division_ == nullptr) {
    division_ = std::make_shared<ShardDivision>(*options.shard, options.shard_costs);
  }
  return *division_;
}

std::shared_ptr<CellStore> RunEngines::StoreFor(const LuaOptions& options,
                                                const RunSettings& settings, const LogSink& log) {
  if (options.shard && settings.store != options.store) {
    throw Error(ErrorKind::kInvalidArgument,
                "cannot use " +
                    (settings.store.empty() ? "no store" : "store '" + settings.store + "'") +
                    " in shard " + std::to_string(options.shard->number) + " of " +
                    std::to_string(options.shard->count) +
                    ": its cells go to its own store; leave store out of the script");
  }
  if (settings.store.empty()) return nullptr;
  const std::filesystem::path file = FileOf(settings.store);
  auto entry = std::find_if(stores_.begin(), stores_.end(),
                            [&](const OpenStore& open) { return open.file == file; });
  const StoreOptions& defaults = options.store_options;
  if (entry == stores_.end()) {
    OpenStore made{file,
                   settings.store,
                   settings.prediction_bytes.value_or(defaults.prediction_bytes),
                   settings.on_store_error.value_or(defaults.on_error),
                   nullptr,
                   {}};
    Open(made, options, log);
    made.file = FileOf(settings.store);
    stores_.push_back(std::move(made));
    return stores_.back().store;
  }
  const std::uint64_t bytes = settings.prediction_bytes.value_or(entry->prediction_bytes);
  const OnStoreError on_error = settings.on_store_error.value_or(entry->on_error);
  if (bytes != entry->prediction_bytes || on_error != entry->on_error) {
    const CellStore::Counts counts = entry->store->counts();
    entry->before.found += counts.found;
    entry->before.computed += counts.computed;
    entry->prediction_bytes = bytes;
    entry->on_error = on_error;
    Open(*entry, options, log);
  }
  return entry->store;
}

void RunEngines::Open(OpenStore& entry, const LuaOptions& options, const LogSink& log) {
  StoreOptions how = options.store_options;
  how.prediction_bytes = entry.prediction_bytes;
  how.on_error = entry.on_error;
  how.may_be_removed =
      entry.path != options.store;  // only a store that the script itself has named
  how.log = log;
  std::shared_ptr<CellStore> opened = CellStore::Open(entry.path, how);
  if (!options.record.script.empty()) opened->BeginRun(options.record);
  if (options.on_store) options.on_store(opened);
  entry.store = std::move(opened);
}

std::shared_ptr<WorkerProcesses> RunEngines::WorkersFor(const LuaOptions& options,
                                                        CellLimits limits) {
  const std::uint64_t share = budget_ == nullptr ? 0 : budget_->ShareOfWorker();
  if (share > 0) limits.memory = limits.memory == 0 ? share : std::min(limits.memory, share);
  if (workers_ == nullptr || workers_->options().limits != limits) {
    IsolationOptions how = options.isolated;
    how.limits = limits;
    workers_ = std::make_shared<WorkerProcesses>(std::move(how));
  }
  return workers_;
}

// A sandbox gives no cell more than its share.
void RunEngines::LimitRetries(RetryOptions& retry) const {
  const std::uint64_t share = budget_ == nullptr ? 0 : budget_->ShareOfWorker();
  if (share > 0) retry.memory_max = std::min(retry.memory_max, share);
}

std::shared_ptr<CellStore> RunEngines::FindStore(const RunSettings& settings) const {
  if (settings.store.empty()) return nullptr;
  const std::filesystem::path file = FileOf(settings.store);
  for (const OpenStore& open : stores_) {
    if (open.file == file) return open.store;
  }
  return nullptr;
}

std::string RunEngines::StoreProblem(const RunSettings& settings) const {
  const std::shared_ptr<CellStore> store = FindStore(settings);
  return store == nullptr ? "" : store->problem();
}

void RunEngines::Flush() {
  for (const OpenStore& open : stores_) open.store->Flush();
}

std::vector<LuaStoreUse> RunEngines::store_uses() const {
  std::vector<LuaStoreUse> uses;
  for (const OpenStore& open : stores_) {
    CellStore::Counts counts = open.store->counts();
    counts.found += open.before.found;
    counts.computed += open.before.computed;
    uses.push_back({open.path, counts});
  }
  return uses;
}

}  // namespace crossfold::lua
