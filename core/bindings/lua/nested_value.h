// Nested tables of a script as JSON.
#pragma once

#include <lua.hpp>
#include <string>

namespace crossfold::lua {

// Appends the table at `index` to `json`, which Lua owns: a table with names as an object, a
// sequence as a list, an empty table as an object, cf.null as null. A list of numbers that has a
// float has floats only. Raises for other values, with the path of the entry after `what`: "cannot
// read 'settings.trees[2]': a function is not a parameter value". Metamethods are not called.
void ReadNested(lua_State* L, int index, const char* what, std::string& json);

}  // namespace crossfold::lua
