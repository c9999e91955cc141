#include "bindings/lua/scored_source.h"

#include "bindings/lua/arguments.h"
#include "bindings/lua/box.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "crossfold/curve_table.h"

namespace crossfold::lua {
namespace {

void ReadLists(lua_State* L, int index, OwnedScoredRows& rows) {
  lua_getfield(L, index, "scores");
  ReadNumbers(L, -1, "option 'scores'", rows.scores);
  lua_pop(L, 1);
  if (lua_getfield(L, index, "positive") != LUA_TTABLE) {
    Raise(L, "cannot read scored rows: 'positive' is not a list of booleans");
  }
  const lua_Integer n = luaL_len(L, -1);
  for (lua_Integer i = 1; i <= n; ++i) {
    lua_geti(L, -1, i);
    const bool positive = lua_toboolean(L, -1) != 0;
    Try(L, [&] { rows.positive.push_back(positive ? 1 : 0); });
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  if (lua_getfield(L, index, "weights") != LUA_TNIL) {
    ReadNumbers(L, -1, "option 'weights'", rows.weights);
  }
  lua_pop(L, 1);
  if (lua_getfield(L, index, "groups") != LUA_TNIL) {
    ReadIntegers(L, -1, "option 'groups'", rows.groups);
  }
  lua_pop(L, 1);
}

}  // namespace

const ScoredSource& ReadScoredSource(lua_State* L, int index, int options) {
  index = lua_absindex(L, index);
  options = lua_absindex(L, options);
  auto* source = NewOwned<ScoredSource>(L);
  if (const auto* handle = ToPrediction(L, index)) {
    ReadStringField(L, options, "positive", source->positive);
    if (handle->task() != Task::kClassification) {
      Raise(L, "cannot draw a curve: the target is not categorical");
    }
    const Dataset& data = CheckComparable(L, *handle);
    Try(L, [&] {
      const std::int64_t positive = FindPositiveClass(source->positive, data.class_names());
      source->positive = data.class_names()[static_cast<std::size_t>(positive)];
      source->rows = OneAgainstRest(data, *handle->prediction, positive);
    });
  } else if (lua_istable(L, index)) {
    ReadLists(L, index, source->rows);
  } else {
    Raise(L, lua_pushfstring(L, "cannot draw a curve of a %s; give a prediction or lists",
                             luaL_typename(L, index)));
  }
  return *source;
}

}  // namespace crossfold::lua
