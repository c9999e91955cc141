// Stores as scripts reach them, beside the cells that go through them.
#include <cstdint>
#include <memory>
#include <string>

#include "crossfold/composed_fold.h"
#include "lua/arguments.h"
#include "lua/handles.h"
#include "lua/protect.h"
#include "lua/run_settings.h"
#include "lua/session.h"

namespace crossfold::lua {
namespace {

std::int64_t ReadNumber(lua_State* L, int index, const char* name) {
  lua_getfield(L, index, name);
  const lua_Integer number = luaL_checkinteger(L, -1);
  lua_pop(L, 1);
  return number;
}

// native.record_composed(how, { learner =, dataset =, data =, repeat_ =, fold =, n_train =,
// prediction =, failure = }): puts a fold that is no cell into the store of `how`, if there is one.
int Record(lua_State* L) {
  luaL_checktype(L, 2, LUA_TTABLE);
  Session& session = GetSession(L);
  auto* settings = NewOwned<RunSettings>(L);
  ReadRunSettings(L, 1, session, *settings);
  if (settings->store.empty() || session.planning() != nullptr) return 0;
  auto* fold = NewOwned<ComposedFold>(L);
  ReadStringField(L, 2, "learner", fold->learner);
  ReadStringField(L, 2, "dataset", fold->dataset_name);
  ReadStringField(L, 2, "failure", fold->failure);
  fold->repeat = ReadNumber(L, 2, "repeat_") - 1;
  fold->fold = ReadNumber(L, 2, "fold") - 1;
  fold->n_train = ReadNumber(L, 2, "n_train");
  lua_getfield(L, 2, "data");
  fold->data = CheckTrainingData(L, lua_gettop(L)).data;
  if (lua_getfield(L, 2, "prediction") != LUA_TNIL) {
    fold->prediction = CheckPrediction(L, lua_gettop(L)).prediction;
  }
  Try(L, [&] {
    const LogSink log = session.plugins().log();
    RecordComposed(*session.engines.StoreFor(session.options, *settings, log), *fold);
  });
  return 0;
}

constexpr luaL_Reg kFunctions[] = {{"record_composed", Record}, {nullptr, nullptr}};

}  // namespace

void OpenStores(lua_State* L) { luaL_setfuncs(L, kFunctions, 0); }

}  // namespace crossfold::lua
