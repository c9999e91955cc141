// os.exit of a script, beside the watch of early_end.h.
#pragma once

#include <lua.hpp>

namespace crossfold::cli {

// Lets a script end the process by os.exit. REQUIRES: the standard libraries are open.
void LetScriptExit(lua_State* L);

}  // namespace crossfold::cli
