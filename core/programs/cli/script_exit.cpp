#include "programs/cli/script_exit.h"

#include "programs/cli/early_end.h"

namespace crossfold::cli {
namespace {

// Upvalue: the original function.
int Exit(lua_State* L) {
  const pid_t before = PauseEarlyEndWatch();
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  if (lua_pcall(L, lua_gettop(L) - 1, 0, 0) == LUA_OK) return 0;
  ResumeEarlyEndWatch(before);  // wrong arguments
  return lua_error(L);
}

}  // namespace

void LetScriptExit(lua_State* L) {
  lua_getglobal(L, "os");
  lua_getfield(L, -1, "exit");
  lua_pushcclosure(L, &Exit, 1);
  lua_setfield(L, -2, "exit");
  lua_pop(L, 1);
}

}  // namespace crossfold::cli
