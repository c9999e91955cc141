// What the options of "crossfold run" mean for the runs of its script: store, isolation, limits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "crossfold/lua.h"

namespace crossfold::cli {

class Command;

struct RunDefaults {
  std::string store;  // path; "" = none
  std::string isolate = "auto";
  double time_limit = 0, cpu_limit = 0;
  std::uint64_t memory_limit = 0, memory_limit_max = 0;
  int retries = RetryOptions().retries;
  bool retry_failed = false;
  std::optional<std::uint64_t> store_predictions;
  std::string on_store_error = "continue";
  std::string shard;        // "2/10"; "" = all cells
  std::string shard_costs;  // a file that a plan writes and a shard reads; "" = none
};

// Declares the options.
void DeclareRunDefaults(Command& run, RunDefaults& defaults);
// Returns which options exclude each other; "" = none do.
std::string FindConflict(const RunDefaults& defaults);

void Apply(const RunDefaults& defaults, LuaOptions& options);
// The script, which stores record; one that cannot be read has no text.
RunRecord MakeRunRecord(const std::string& script, const std::vector<std::string>& arguments,
                        std::uint64_t seed);
// "store run.cfdb: 480 cells found, 20 computed" for every store, to stderr; before that what the
// shard did, if it is one.
void PrintStores(lua_State* L, const std::string& shard);

}  // namespace crossfold::cli
