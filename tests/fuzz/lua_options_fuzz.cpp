// Any bytes as changes to the options of a public function of the Lua module: lua_options.lua says
// what is called and what must hold.
#include <cstddef>
#include <cstdint>
#include <lua.hpp>
#include <string>

#include "files/file_bytes.h"
#include "fuzz/law.h"
#include "fuzz/targets.h"
#include "unit/bindings/lua/lua_state.h"

namespace {

using crossfold::fuzz::BrokenLaw;

std::string TopText(lua_State* L) {
  std::string text = luaL_tolstring(L, -1, nullptr);
  lua_pop(L, 2);
  return text;
}

// A state with the function of lua_options.lua at the bottom of its stack.
lua_State* OptionsState() {
  static const crossfold::LuaState state = [] {
    crossfold::LuaOptions options = crossfold::TestOptions();
    options.workers = 1;
    crossfold::LuaState made = crossfold::NewLuaState(options);
    lua_State* L = made.get();
    lua_pushnil(L);
    lua_setglobal(L, "print");
    // No file is written, whatever an option is changed to.
    luaL_dostring(L, "io.open = function() return nil, 'closed' end");
    const std::string script = crossfold::ReadFileBytes(CROSSFOLD_FUZZ_SCRIPTS "/lua_options.lua");
    if (luaL_loadbuffer(L, script.data(), script.size(), "@lua_options.lua") != LUA_OK) {
      throw BrokenLaw(TopText(L));
    }
    lua_pushliteral(L, CROSSFOLD_TEST_DATA "/weather_numeric.csv");
    if (lua_pcall(L, 1, 1, 0) != LUA_OK) {
      throw BrokenLaw(TopText(L));
    }
    return made;
  }();
  return state.get();
}

}  // namespace

int crossfold::fuzz::FeedLuaOptions(const std::uint8_t* bytes, std::size_t size) {
  lua_State* L = OptionsState();
  lua_pushvalue(L, 1);
  lua_pushlstring(L, reinterpret_cast<const char*>(bytes), size);
  if (lua_pcall(L, 1, 0, 0) != LUA_OK) throw BrokenLaw(TopText(L));
  return 0;
}
