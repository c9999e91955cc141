// Opening the module: package.preload gets "crossfold", "crossfold.native" and the embedded
// scripts.
#include "crossfold/lua.h"

#include <lua.hpp>

#include "bindings/lua/arguments.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/planning.h"
#include "bindings/lua/protect.h"
#include "bindings/lua/scripts.h"
#include "bindings/lua/session.h"
#include "crossfold/version.h"

namespace crossfold {
namespace lua {
namespace {

// Whether the value at `index` means that the task ends here, not that something failed in it.
bool EndsTask(lua_State* L, int index) {
  index = lua_absindex(L, index);
  PushCancelled(L);
  PushPlanned(L);
  const bool ends = lua_rawequal(L, index, -2) != 0 || lua_rawequal(L, index, -1) != 0;
  lua_pop(L, 2);
  return ends;
}

int FinishAttempt(lua_State* L, int status, lua_KContext /*context*/) {
  if (status == LUA_OK || status == LUA_YIELD) return lua_gettop(L);
  if (EndsTask(L, -1)) return lua_error(L);
  if (lua_type(L, -1) == LUA_TSTRING) RestoreScriptNames(L);
  lua_pushboolean(L, 0);
  lua_insert(L, -2);
  return 2;
}

// native.attempt(f, ...): pcall for work whose failure is data. Errors that end the task are raised
// again: a cancellation, and the end of a plan.
int Attempt(lua_State* L) {
  luaL_checkany(L, 1);
  lua_pushboolean(L, 1);  // the first result, if f raises nothing
  lua_insert(L, 1);
  const int status =
      lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, lua_KContext{0}, &FinishAttempt);
  return FinishAttempt(L, status, 0);
}

// native.whole_names(message): with the whole names of scripts.
int WholeNames(lua_State* L) {
  luaL_checkstring(L, 1);
  lua_settop(L, 1);
  RestoreScriptNames(L);
  return 1;
}

// What crossfold.native has.
constexpr OpenPart* kParts[] = {OpenAdjustments,
                                OpenAudits,
                                OpenCatalogs,
                                OpenChecks,
                                OpenChoices,
                                OpenComparisons,
                                OpenConformal,
                                OpenCurves,
                                OpenData,
                                OpenDatasetMakers,
                                OpenDescriptions,
                                OpenEnsembles,
                                OpenJson,
                                OpenMemberPredictions,
                                OpenLearningCurves,
                                OpenLockboxes,
                                OpenModels,
                                OpenOutcomes,
                                OpenParams,
                                OpenPlanning,
                                OpenPlugins,
                                OpenPredictions,
                                OpenRuns,
                                OpenSearches,
                                OpenSpecs,
                                OpenSplits,
                                OpenStatsBiasVariance,
                                OpenStatsBootstrap,
                                OpenStatsPaired,
                                OpenStatsPower,
                                OpenStatsRanks,
                                OpenStatsSequence,
                                OpenStoredCells,
                                OpenStoredRuns,
                                OpenStores,
                                OpenSubgroups,
                                OpenTables,
                                OpenTimeLimits,
                                OpenTransforms};

// The loader of "crossfold.native".
int OpenNative(lua_State* L) {
  lua_newtable(L);
  for (OpenPart* open : kParts) open(L);
  PushNull(L);
  lua_setfield(L, -2, "null");
  PushCancelled(L);
  lua_setfield(L, -2, "cancelled");
  AddFunctions(L, {{"attempt", Attempt}, {"whole_names", WholeNames}});
  SetField(L, "version", Version());
  return 1;
}

// The loader of an embedded script; upvalues: its index, and what it returned the first time.
// Modules are loaded when they are used first, so those that are there must stay the same even if
// package.loaded was cleared in between.
int OpenScript(lua_State* L) {
  lua_pushvalue(L, lua_upvalueindex(2));
  if (!lua_isnil(L, -1)) return 1;
  const auto index = static_cast<std::size_t>(lua_tointeger(L, lua_upvalueindex(1)));
  const EmbeddedScript& script = EmbeddedScripts()[index];
  if (luaL_loadbufferx(L, script.text.data(), script.text.size(), script.chunk_name, "t") !=
      LUA_OK) {
    return lua_error(L);
  }
  lua_pushstring(L, script.module);
  lua_call(L, 1, 1);
  lua_pushvalue(L, -1);
  lua_replace(L, lua_upvalueindex(2));
  return 1;
}

}  // namespace

void Preload(lua_State* L) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, &OpenNative);
  lua_setfield(L, -2, "crossfold.native");
  const auto scripts = EmbeddedScripts();
  for (std::size_t i = 0; i < scripts.size(); ++i) {
    lua_pushinteger(L, static_cast<lua_Integer>(i));
    lua_pushnil(L);
    lua_pushcclosure(L, &OpenScript, 2);
    lua_setfield(L, -2, scripts[i].module);
  }
  lua_pop(L, 1);
}

// For crossfold.so: as `require "crossfold"` found the library, the script module is its result.
int OpenModule(lua_State* L) {
  luaL_checkversion(L);
  OpenSession(L).options.isolation = Isolation::kAuto;
  Preload(L);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_getfield(L, -1, "crossfold");
  lua_pushliteral(L, "crossfold");
  lua_call(L, 1, 1);
  return 1;
}

}  // namespace lua

void OpenLua(lua_State* L, const LuaOptions& options) {
  luaL_checkversion(L);
  lua::Session& session = lua::OpenSession(L);
  session.options = options;
  if (options.plan && session.plans.empty()) session.BeginPlan();
  lua::Preload(L);
}

LuaRunCounts GetLuaRunCounts(lua_State* L) {
  const lua::Session* session = lua::FindSession(L);
  return session == nullptr ? LuaRunCounts{} : session->counts;
}

std::vector<LuaStoreUse> GetLuaStores(lua_State* L) {
  const lua::Session* session = lua::FindSession(L);
  return session == nullptr ? std::vector<LuaStoreUse>{} : session->engines.store_uses();
}

}  // namespace crossfold
