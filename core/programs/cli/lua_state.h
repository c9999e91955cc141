// A Lua state that is closed by its destructor.
#pragma once

#include <lua.hpp>
#include <memory>

#include "crossfold/error.h"

namespace crossfold::cli {

struct StateCloser {
  void operator()(lua_State* L) const { lua_close(L); }
};
using State = std::unique_ptr<lua_State, StateCloser>;

inline State MakeState() {
  State state(luaL_newstate());
  if (state == nullptr) throw Error(ErrorKind::kFailed, "out of memory");
  return state;
}

}  // namespace crossfold::cli
