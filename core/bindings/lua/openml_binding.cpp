// Reads and writes splits in the format of OpenML.
#include "crossfold/openml_splits.h"

#include <string>

#include "bindings/lua/arguments.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "bindings/lua/session.h"

namespace crossfold::lua {
namespace {

// native.read_openml_splits(path, data, ignore_groups)
int ReadSplits(lua_State* L) {
  std::size_t size = 0;
  const char* path = luaL_checklstring(L, 1, &size);
  const DataView& view = CheckTrainingData(L, 2);
  const bool ignore_groups = lua_toboolean(L, 3) != 0;
  auto* handle = NewOwned<SplitsHandle>(L);
  const Session& session = GetSession(L);
  Try(L, [&] {
    const std::string file(path, size);
    session.files.CheckRead(file);
    handle->plan = PlanOpenmlSplits(ReadOpenmlSplits(file), view, ignore_groups);
  });
  return 1;
}

}  // namespace

// splits:to_openml(path) writes the file; splits:to_openml(true) gives its text.
int WriteOpenml(lua_State* L) {
  const SplitPlan& plan = *CheckSplits(L, 1).plan;
  const Session& session = GetSession(L);
  if (lua_isboolean(L, 2) && lua_toboolean(L, 2) != 0) {
    auto* text = NewOwned<std::string>(L);
    Try(L, [&] { *text = FormatOpenmlSplits(plan, session.cancel()); });
    PushText(L, *text);
    return 1;
  }
  luaL_argcheck(L, lua_type(L, 2) == LUA_TSTRING, 2, "the path of a file, or true, is expected");
  std::size_t size = 0;
  const char* path = lua_tolstring(L, 2, &size);
  Try(L, [&] {
    const std::string file(path, size);
    if (session.files.restricted()) {
      return session.files.Make(file, FormatOpenmlSplits(plan, session.cancel()));
    }
    session.files.CheckWrite(file);
    WriteOpenmlSplits(plan, file);
  });
  return 0;
}

void OpenOpenml(lua_State* L) {
  static constexpr luaL_Reg kFunctions[] = {{"read_openml_splits", ReadSplits}, {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
