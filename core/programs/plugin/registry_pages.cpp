#include "programs/plugin/registry_pages.h"

#include <filesystem>
#include <lua.hpp>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/lua.h"
#include "crossfold/plugin_host.h"
#include "crossfold/whole_file.h"
#include "programs/cli/common_options.h"
#include "programs/cli/lua_state.h"

namespace crossfold::cli {
namespace {

namespace fs = std::filesystem;

using Pages = std::map<fs::path, std::string>;

// What the scripts get.
struct PageRequest {
  const char* module = nullptr;  // has the function `pages`
  std::string index, checks, program;
  std::span<const UnpackedPlugin> unpacked;
  const CancelToken* cancel = nullptr;  // may be null
};

void PushUnpacked(lua_State* L, std::span<const UnpackedPlugin> unpacked) {
  lua_createtable(L, static_cast<int>(unpacked.size()), 0);
  lua_Integer n = 0;
  for (const UnpackedPlugin& each : unpacked) {
    lua_createtable(L, 0, 5);
    SetText(L, "id", each.plugin.id);
    SetText(L, "package", each.plugin.package);
    SetText(L, "path", each.path.string());
    SetText(L, "folder", each.path.parent_path().string());
    if (!each.problem.empty()) SetText(L, "problem", each.problem);
    lua_rawseti(L, -2, ++n);
  }
}

// Upvalue: the token.
int PagesAreCancelled(lua_State* L) {
  const auto* cancel = static_cast<const CancelToken*>(lua_touserdata(L, lua_upvalueindex(1)));
  lua_pushboolean(L, cancel != nullptr && cancel->cancelled() ? 1 : 0);
  return 1;
}

// Leaves require(module).pages{ index =, checks =, program =, unpacked =, cancelled = } on the
// stack.
int CallPages(lua_State* L) {
  const auto& request = *static_cast<const PageRequest*>(lua_touserdata(L, 1));
  lua_getglobal(L, "require");
  lua_pushliteral(L, "crossfold");  // which has the other modules
  lua_call(L, 1, 0);
  lua_getglobal(L, "require");
  lua_pushstring(L, request.module);
  lua_call(L, 1, 1);
  lua_getfield(L, -1, "pages");
  lua_createtable(L, 0, 5);
  SetText(L, "index", request.index);
  SetText(L, "checks", request.checks);
  SetText(L, "program", request.program);
  PushUnpacked(L, request.unpacked);
  lua_setfield(L, -2, "unpacked");
  lua_pushlightuserdata(L, const_cast<CancelToken*>(request.cancel));
  lua_pushcclosure(L, &PagesAreCancelled, 1);
  lua_setfield(L, -2, "cancelled");
  lua_call(L, 1, 1);
  return 1;
}

// The table of pages on top of the stack.
Pages ReadPages(lua_State* L) {
  Pages pages;
  lua_pushnil(L);
  while (lua_next(L, -2) != 0) {
    pages.emplace(lua_tostring(L, -2), TextAt(L, -1));
    lua_pop(L, 1);
  }
  return pages;
}

Pages MakePages(const PageRequest& request) {
  LuaOptions options;
  PluginHostOptions none;
  none.use_environment = none.use_user_folder = false;
  options.plugins = std::make_shared<PluginHost>(std::move(none));
  const State state(luaL_newstate());
  if (state == nullptr) throw std::bad_alloc();
  lua_State* L = state.get();
  OpenLua(L, options);
  luaL_openlibs(L);
  lua_pushcfunction(L, &CallPages);
  lua_pushlightuserdata(L, const_cast<PageRequest*>(&request));
  if (lua_pcall(L, 1, 1, 0) != LUA_OK) {
    throw Error(ErrorKind::kBadData, luaL_tolstring(L, -1, nullptr));
  }
  return ReadPages(L);
}

PageRequest RequestFor(const PluginRegistry& registry, const char* module) {
  PageRequest request;
  request.module = module;
  request.index = ToText(registry.Latest());
  request.checks = registry.ChecksText();
  return request;
}

// Pages of plugins that the registry has no longer.
void RemoveOtherPages(const fs::path& folder, const std::set<fs::path>& kept) {
  std::error_code failure;
  std::vector<fs::path> old;
  for (fs::directory_iterator it(folder, failure), end; !failure && it != end;
       it.increment(failure)) {
    if (it->path().extension() == ".html" && !kept.contains(it->path())) old.push_back(it->path());
  }
  for (const fs::path& page : old) fs::remove(page, failure);
}

void WritePages(const Pages& pages, const fs::path& folder) {
  for (const auto& [name, text] : pages) {
    const fs::path path = folder / name;
    std::error_code failure;  // writing the page reports it
    fs::create_directories(path.parent_path(), failure);
    WriteWholeFile(path, text);
  }
}

}  // namespace

void WriteCompatibilityPage(const PluginRegistry& registry) {
  WritePages(MakePages(RequestFor(registry, "crossfold.registry.compatibility")),
             registry.folder());
}

std::size_t WriteRegistryDocs(const PluginRegistry& registry, const CancelToken& cancel) {
  PageRequest request = RequestFor(registry, "crossfold.registry.docs");
  request.program = CrossfoldProgram().string();
  request.cancel = &cancel;
  Pages pages;
  registry.UseNewest([&](std::span<const UnpackedPlugin> unpacked) {
    request.unpacked = unpacked;
    pages = MakePages(request);
  });
  if (cancel.cancelled()) return 0;
  const fs::path folder = registry.folder() / "docs";
  WritePages(pages, folder);
  std::set<fs::path> kept;
  for (const auto& [name, text] : pages) kept.insert(folder / name);
  RemoveOtherPages(folder / "plugins", kept);
  return pages.size() - 1;  // without the list
}

}  // namespace crossfold::cli
