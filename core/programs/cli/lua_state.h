// A Lua state that is closed by its destructor.
#pragma once

#include <lua.hpp>
#include <memory>

namespace crossfold::cli {

struct StateCloser {
  void operator()(lua_State* L) const { lua_close(L); }
};
using State = std::unique_ptr<lua_State, StateCloser>;

}  // namespace crossfold::cli
