// Ends of the process that the program did not ask for.
#pragma once

#include <lua.hpp>

namespace crossfold::cli {

// While it lives, exit() and quick_exit() of a plugin or a library end the process with status 1,
// and they and its fatal signals with a line on stderr. Nothing can be done about _exit() and
// SIGKILL. One at a time.
class EarlyEndWatch {
 public:
  EarlyEndWatch();
  ~EarlyEndWatch();
  EarlyEndWatch(const EarlyEndWatch&) = delete;
  EarlyEndWatch& operator=(const EarlyEndWatch&) = delete;
};

// os.exit of a script is an end that was asked for. REQUIRES: the standard libraries are open.
void LetScriptExit(lua_State* L);

}  // namespace crossfold::cli
