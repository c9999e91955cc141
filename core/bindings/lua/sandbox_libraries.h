// The libraries of a sandboxed state. All functions may raise.
#pragma once

#include <lua.hpp>

namespace crossfold::lua {

// Opens what scripts may use, one library after the other, and removes or guards what could read
// foreign files, run machine code or take long without a check of the clock.
void OpenSandboxLibraries(lua_State* L);

// Pushes an environment for one script: a copy of the globals and their tables, with `load` and
// `require` of its own. Crossfold's Lua part is loaded again for it.
void PushScriptEnvironment(lua_State* L);

// In sandbox_strings.cpp: find, match, gmatch, gsub and rep with bounds. The table `string` is on
// top of the stack.
void BoundStrings(lua_State* L);
// In sandbox_tables.cpp, for the table `table`.
void BoundTables(lua_State* L);

// For the C function at field `name` of the table on top of the stack: `guard` is called in its
// place, and calls it by CallGuarded. A field that is not a C function stays.
void Guard(lua_State* L, const char* name, lua_CFunction guard);
// Adds guards that only check whether the script must stop, for all functions of the table.
void GuardAll(lua_State* L);
// Calls the function that was replaced, with the arguments on the stack.
int CallGuarded(lua_State* L);

}  // namespace crossfold::lua
