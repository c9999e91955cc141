// Errors in a Lua script as its user sees them.
#pragma once

#include <lua.hpp>

namespace crossfold::cli {

// Whether the error value means that the work of the script was planned.
bool IsPlanned(lua_State* L, int index);
// Whether the error value means that the script was asked to stop.
bool IsCancelled(lua_State* L, int index);

// Lets messages have the whole names of the scripts that dofile, loadfile and require load. REQUIRES: the standard
// libraries are open.
void NameScriptsWhole(lua_State* L);

// Calls the function below its `n_args` arguments at the top of the stack; returns lua_pcall's
// status. An error value that is not a plan or a stop is replaced by its message, with the call
// stack if `traceback` is set.
int CallScript(lua_State* L, int n_args, int n_results, bool traceback);

}  // namespace crossfold::cli
