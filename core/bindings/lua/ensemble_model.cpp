// An ensemble's model as a C++ object: each call goes into its Lua state.
#include "crossfold/ensemble_model.h"

#include <lua.hpp>
#include <optional>
#include <utility>

#include "bindings/lua/arguments.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "crossfold/error.h"
#include "models/ensemble_file.h"

namespace crossfold {
namespace {

struct LoadCall {
  std::string_view bytes;
  const std::string& name;
  int reference = LUA_NOREF;
};

void PushModule(lua_State* L, const char* module) {
  lua_getglobal(L, "require");
  lua_pushstring(L, module);
  lua_call(L, 1, 1);
}

// require("crossfold.ensemble.model").from_bytes(bytes, name), kept in the registry.
int CallLoad(lua_State* L) {
  auto& call = *static_cast<LoadCall*>(lua_touserdata(L, 1));
  PushModule(L, "crossfold");  // which adds methods of datasets
  PushModule(L, "crossfold.ensemble.model");
  lua_getfield(L, -1, "from_bytes");
  lua_pushlstring(L, call.bytes.data(), call.bytes.size());
  lua::PushText(L, call.name);
  lua_call(L, 2, 1);
  call.reference = luaL_ref(L, LUA_REGISTRYINDEX);
  return 0;
}

struct PredictCall {
  int reference;
  const DataView& rows;
  std::optional<double> coverage = std::nullopt;
  Prediction prediction = {};
  PredictionRegions regions = {};
};

// model:predict(rows, { coverage = })
int CallPredict(lua_State* L) {
  auto& call = *static_cast<PredictCall*>(lua_touserdata(L, 1));
  lua_rawgeti(L, LUA_REGISTRYINDEX, call.reference);
  lua_getfield(L, -1, "predict");
  lua_insert(L, -2);
  auto* data = lua::NewOwned<lua::DataHandle>(L);
  lua::Try(L, [&] { data->view = call.rows; });
  if (call.coverage) {
    lua_createtable(L, 0, 1);
    lua_pushnumber(L, *call.coverage);
    lua_setfield(L, -2, "coverage");
  }
  lua_call(L, call.coverage ? 3 : 2, 1);
  const lua::PredictionHandle& made = lua::CheckPrediction(L, -1);
  lua::Try(L, [&] {
    call.prediction = *made.prediction;
    if (made.regions) call.regions = *made.regions;
  });
  return 0;
}

// Runs `function` with `call` as its argument. Throws Error with what it raised.
void CallProtected(lua_State* L, lua_CFunction function, void* call) {
  const int top = lua_gettop(L);
  if (lua_checkstack(L, 8) == 0) throw Error(ErrorKind::kFailed, "the Lua stack is full");
  lua_pushcfunction(L, function);
  lua_pushlightuserdata(L, call);
  if (lua_pcall(L, 1, 0, 0) == LUA_OK) return;
  lua::PushCancelled(L);
  const bool cancelled = lua_rawequal(L, -1, -2) != 0;
  const char* text = lua_tostring(L, -2);
  const std::string message = cancelled ? "cancelled" : text != nullptr ? text : "failed in Lua";
  lua_settop(L, top);
  throw Error(cancelled ? ErrorKind::kCancelled : ErrorKind::kFailed, message);
}

}  // namespace

EnsembleModel::EnsembleModel(lua_State* L, std::string_view bytes, const std::string& name)
    : state_(L), saved_(ReadEnsemble(bytes, "cannot load model '" + name + "': ")) {
  LoadCall call{bytes, name};
  CallProtected(state_, &CallLoad, &call);
  reference_ = call.reference;
}

EnsembleModel::~EnsembleModel() { luaL_unref(state_, LUA_REGISTRYINDEX, reference_); }

Prediction EnsembleModel::Predict(const DataView& rows) {
  PredictCall call{reference_, rows};
  CallProtected(state_, &CallPredict, &call);
  return std::move(call.prediction);
}

CoveredPrediction EnsembleModel::PredictCovered(const DataView& rows, double coverage) {
  PredictCall call{reference_, rows, coverage};
  CallProtected(state_, &CallPredict, &call);
  return {std::move(call.prediction), std::move(call.regions)};
}

}  // namespace crossfold
