// A Lua state that is closed by its destructor, and strings in one.
#pragma once

#include <cstddef>
#include <lua.hpp>
#include <memory>
#include <string>

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

// Sets a field of the table at the top of the stack.
inline void SetText(lua_State* L, const char* field, const std::string& text) {
  lua_pushlstring(L, text.data(), text.size());
  lua_setfield(L, -2, field);
}

// "" = it is not a string.
inline std::string TextAt(lua_State* L, int index) {
  std::size_t size = 0;
  const char* text = lua_tolstring(L, index, &size);
  return text == nullptr ? std::string() : std::string(text, size);
}

}  // namespace crossfold::cli
