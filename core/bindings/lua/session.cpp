#include "bindings/lua/session.h"

#include "bindings/lua/box.h"
#include "bindings/lua/protect.h"

namespace crossfold::lua {
namespace {

char session_key;  // its address is the registry key

}  // namespace

PluginHost& Session::plugins() {
  if (!options.plugins) options.plugins = std::make_shared<PluginHost>(PluginHostOptions{});
  return *options.plugins;
}

RunOptions Session::run_options(lua_Integer workers) {
  RunOptions made;
  made.workers = static_cast<int>(workers);
  if (budget != nullptr) made.workers = budget->BoundWorkers(made.workers);
  made.cancel = cancel();
  made.log = plugins().log();
  if (!shared) shared = std::make_shared<SharedWork>(options.memory, options.run_memory);
  made.share = options.share;
  made.verify = options.verify;
  made.shared = shared;
  return made;
}

Session* FindSession(lua_State* L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &session_key);
  Session* session = ToOwned<Session>(L, -1);
  lua_pop(L, 1);
  return session;
}

Session& OpenSession(lua_State* L) {
  if (Session* session = FindSession(L)) return *session;
  Session* session = NewOwned<Session>(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &session_key);
  return *session;
}

Session& GetSession(lua_State* L) {
  Session* session = FindSession(L);
  if (session == nullptr) {
    Raise(L, "cannot use Crossfold: its Lua state is being closed; do this work before the end");
  }
  return *session;
}

}  // namespace crossfold::lua
