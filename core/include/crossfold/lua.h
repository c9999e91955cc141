// Crossfold in a lua_State: the module that scripts get from require "crossfold".
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "crossfold/cancel_token.h"
#include "crossfold/cell.h"
#include "crossfold/cell_store.h"
#include "crossfold/dataset.h"
#include "crossfold/isolation.h"
#include "crossfold/plugin_host.h"
#include "crossfold/progress.h"
#include "crossfold/retry.h"
#include "crossfold/shard.h"

struct lua_State;

namespace crossfold {

// What a program sets for the scripts that run in one lua_State.
struct LuaOptions {
  std::shared_ptr<PluginHost> plugins;  // null = one with default options
  int workers = 0;                      // default of every run; 0 = one per core
  std::uint64_t seed = 1;               // default of every experiment
  std::shared_ptr<CancelToken> cancel;  // null = none
  ProgressSink progress;                // gets the progress of each run; may be empty
  // Called on the thread of the state when a run has ended, for any reason, so that the program can
  // remove what `progress` showed before the script prints. May be empty; must not throw.
  std::function<void()> run_ended;
  bool share = true;             // as in RunOptions, for every run
  bool verify = false;           // as in RunOptions
  std::uint64_t memory = 0;      // of SharedWork, in bytes; 0 = half of the machine's
  std::uint64_t run_memory = 0;  // of runs, as in SharedWork; 0 = it is not limited
  // Plans the first call of a script that runs cells, and runs only a small part of it. The call
  // then raises a value whose metatable has the __name "crossfold.Planned".
  bool plan = false;
  bool plan_costs = false;  // the plan also has the costs of learners

  // The defaults of every run; scripts may override them.
  std::string store;           // path of a cell store; "" = none
  StoreOptions store_options;  // without `log`: that of the plugins
  RunRecord record;            // what stores record about the cells of the script
  // Called with every store that a script opens; may be empty.
  std::function<void(const std::shared_ptr<CellStore>&)> on_store;
  // nullopt: a cell runs in a worker process only if it has limits or one of its plugins asks for
  // that. The program and the Lua module set kAuto.
  std::optional<Isolation> isolation;
  IsolationOptions isolated;  // the worker program and limits
  RetryOptions retry;         // of cells that failed because of the machine

  // Only the cells of this shard are computed. Those of other shards have the
  // status kElsewhere, unless the store has them; scripts may use only the store `store`.
  std::optional<Shard> shard;
  ShardCosts shard_costs;  // how the shards are cut; may be empty
  // Makes the engine that runs cells instead of this process and its worker processes, such as on
  // other machines; the limits are those of the call. May be empty.
  LimitedEngine executor;
};

// Counts of the cells that ran in one lua_State.
struct LuaRunCounts {
  std::uint64_t cells = 0;
  std::uint64_t failed = 0;
  std::uint64_t elsewhere = 0;  // left to other shards; not included in the other counts
};

// A store that scripts of one lua_State used, and what they found and added.
struct LuaStoreUse {
  std::string path;  // as it was first given
  CellStore::Counts counts;
};

// Puts the module into package.preload, without a change of globals. The state may be any Lua 5.4,
// built as C or as C++. Objects of the module must not outlive it (lua_close in the usual order is
// fine).
void OpenLua(lua_State* L, const LuaOptions& options);

// Pushes a dataset of the host, as cf.read returns it to scripts; it is kept alive as long as they
// use it. The state must have been prepared by OpenLua. Raises a Lua error only if there is not
// enough memory.
void PushDataset(lua_State* L, const std::shared_ptr<const Dataset>& data);

// Lua's own messages show only the end of a name of 60 bytes or more. The first function remembers the name of a file
// that is about to be loaded, as it was given; the second one replaces the string at the top of the stack, a message,
// by one in which these names are whole.
void RememberScriptName(lua_State* L, const char* name);
void RestoreScriptNames(lua_State* L);

// The counts of what ran so far in a state prepared by OpenLua.
LuaRunCounts GetLuaRunCounts(lua_State* L);

// The stores that were used so far, in the order of their first use.
std::vector<LuaStoreUse> GetLuaStores(lua_State* L);

// The plan of LuaOptions.plan, as text or as JSON; empty if nothing was to run.
std::string GetLuaPlan(lua_State* L, bool json);
// The costs of the plan's learners, with LuaOptions.plan_costs. Those without cells have none.
ShardCosts GetLuaPlanCosts(lua_State* L);

}  // namespace crossfold
