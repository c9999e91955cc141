#include "programs/cli/run_defaults.h"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/shard.h"
#include "programs/cli/command.h"

namespace crossfold::cli {
namespace {

std::string RefuseNoShard(const std::string& text) {
  try {
    ParseShard(text);
    return "";
  } catch (const Error& e) {
    return e.what();
  }
}

ShardCosts ReadShardCosts(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::error_code none;
  const bool is_folder = std::filesystem::is_directory(path, none);
  if (!file || is_folder) {
    throw Error(ErrorKind::kIo, "cannot read the costs of shards '" + path + "': " +
                                    (is_folder ? "it is a folder" : "there is no such file") +
                                    "; --plan writes it");
  }
  const std::string json{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return ParseShardCosts(json, path);
}

const char* Plural(std::uint64_t n) { return n == 1 ? "" : "s"; }

}  // namespace

void DeclareRunDefaults(Command& run, RunDefaults& defaults) {
  run.AddOption("--store", defaults.store,
                "Store finished cells in this file, and reuse those stored")
      .FilePath();
  run.AddFlag("--retry-failed", defaults.retry_failed, "Compute cells again that failed before");
  run.AddOption("--store-predictions", defaults.store_predictions,
                "Maximum size of the predictions in the store, as in 2G; 0 = keep none")
      .ByteSize();
  run.AddOption(
         "--on-store-error", defaults.on_store_error,
         "What to do if the store accepts no more cells: continue = compute and deliver the rest, "
         "stop = end the run; default continue")
      .OneOf({"continue", "stop"});
  run.AddOption("--shard", defaults.shard,
                "Compute only this part of the cells, as in 2/10; the script prints to stderr")
      .Check(RefuseNoShard, "I/N");
  run.AddOption("--shard-costs", defaults.shard_costs,
                "Cut shards by the seconds of each learner in this JSON file, which --plan writes")
      .FilePath();
  run.AddOption(
         "--isolate", defaults.isolate,
         "Where cells run: none = here, worker = in worker processes, fresh = in a new "
         "process each, auto = none if all their plugins are bundled or folders, else worker")
      .OneOf({"auto", "none", "worker", "fresh"});
  run.AddOption("--time-limit", defaults.time_limit, "Time limit of a cell in seconds").Positive();
  run.AddOption("--cpu-limit", defaults.cpu_limit, "Processor time limit of a cell in seconds")
      .Positive();
  run.AddOption("--memory-limit", defaults.memory_limit,
                "Memory limit of a cell's process in addition to the data, as in 512M")
      .ByteSize();
  run.AddOption(
         "--memory-limit-max", defaults.memory_limit_max,
         "A cell that needs more than its memory limit is tried again with twice as much, up "
         "to this size")
      .ByteSize();
  run.AddOption("--retries", defaults.retries,
                "How often a cell is tried again that failed because of the machine; default 2")
      .Range(0, 100);
}

std::string FindConflict(const RunDefaults& defaults) {
  if (!defaults.shard.empty() && defaults.store.empty()) {
    return "a shard needs a store of its own for its cells; use --store part_1.cfdb";
  }
  if (defaults.memory_limit_max > 0 && defaults.memory_limit == 0) {
    return "--memory-limit-max needs a limit to begin with; use --memory-limit";
  }
  if (defaults.memory_limit_max > 0 && defaults.memory_limit_max < defaults.memory_limit) {
    return "--memory-limit-max is less than --memory-limit; leave it out, or use a larger size";
  }
  const bool limited =
      defaults.time_limit > 0 || defaults.cpu_limit > 0 || defaults.memory_limit > 0;
  if (!limited || defaults.isolate != "none") return "";
  return "limits need a process of their own; use --isolate worker";
}

void Apply(const RunDefaults& defaults, LuaOptions& options) {
  options.store = defaults.store;
  options.store_options.retry_failed = defaults.retry_failed;
  if (defaults.store_predictions) {
    options.store_options.prediction_bytes = *defaults.store_predictions;
  }
  options.store_options.on_error = *OnStoreErrorNamed(defaults.on_store_error);
  if (!defaults.shard.empty()) options.shard = ParseShard(defaults.shard);
  if (options.shard && !defaults.shard_costs.empty()) {
    options.shard_costs = ReadShardCosts(defaults.shard_costs);
  }
  options.plan_costs = !defaults.shard_costs.empty();
  options.isolation = IsolationNamed(defaults.isolate);
  options.isolated.limits = {defaults.time_limit, defaults.cpu_limit, defaults.memory_limit};
  options.retry = {defaults.retries, defaults.memory_limit_max};
}

RunRecord MakeRunRecord(const std::string& script, const std::vector<std::string>& arguments,
                        std::uint64_t seed) {
  std::string text;
  std::error_code unknown;
  if (std::filesystem::is_regular_file(script,
                                       unknown)) {  // a pipe can be read only once, to run it
    std::ifstream file(script, std::ios::binary);
    text.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return {script, std::move(text), arguments, seed};
}

void PrintStores(lua_State* L, const std::string& shard) {
  const LuaRunCounts counts = GetLuaRunCounts(L);
  if (!shard.empty()) {
    std::fprintf(stderr, "shard %s: %llu cell%s, %llu left to other shards\n", shard.c_str(),
                 static_cast<unsigned long long>(counts.cells), Plural(counts.cells),
                 static_cast<unsigned long long>(counts.elsewhere));
  }
  const std::vector<LuaStoreUse> stores = GetLuaStores(L);
  std::uint64_t stored = 0;
  for (const LuaStoreUse& use : stores) {
    stored += use.counts.found + use.counts.computed;
    std::fprintf(stderr, "store %s: %llu cell%s found, %llu computed\n", use.path.c_str(),
                 static_cast<unsigned long long>(use.counts.found), Plural(use.counts.found),
                 static_cast<unsigned long long>(use.counts.computed));
  }
  if (stores.empty() || counts.cells <= stored) return;
  const auto others = static_cast<unsigned long long>(counts.cells - stored);
  std::fprintf(
      stderr,
      "%llu cell%s outside of stores, as folds of learners in Lua, which every run computes\n",
      others, Plural(others));
}

}  // namespace crossfold::cli
