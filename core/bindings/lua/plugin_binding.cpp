// What the plugins offer, for the prompt and for other programs that show it.
#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/lua/arguments.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "bindings/lua/session.h"
#include "crossfold/component_facts.h"
#include "crossfold/component_text.h"
#include "crossfold/plugin_host.h"

namespace crossfold::lua {
namespace {

struct Named {
  Kind kind;
  std::string id;
};

// Of all files that are not disabled, each once, by kind and id.
std::vector<Named> NamedComponents(const PluginHost& plugins) {
  std::vector<Named> found;
  for (const PluginEntry& entry : plugins.entries()) {
    if (!entry.rejected.empty()) continue;
    for (const Kind kind : kKinds) {
      for (const std::string& id : entry.ids[kind]) found.push_back({kind, id});
    }
  }
  const auto key = [](const Named& one) { return std::tie(one.kind, one.id); };
  std::sort(found.begin(), found.end(),
            [&](const Named& a, const Named& b) { return key(a) < key(b); });
  const auto same = [&](const Named& a, const Named& b) { return key(a) == key(b); };
  found.erase(std::unique(found.begin(), found.end(), same), found.end());
  return found;
}

void SetView(lua_State* L, const char* name, std::string_view text) {
  lua_pushlstring(L, text.data(), text.size());
  lua_setfield(L, -2, name);
}

// native.components(): a list of { kind = "learner", id = "crossfold.knn", short_id = "knn" }, by
// kind and id. Loads no plugin.
int Components(lua_State* L) {
  Session& session = GetSession(L);
  auto* found = NewOwned<std::vector<Named>>(L);
  Try(L, [&] { *found = NamedComponents(session.plugins()); });
  lua_createtable(L, static_cast<int>(found->size()), 0);
  for (std::size_t i = 0; i < found->size(); ++i) {
    const Named& one = (*found)[i];
    lua_createtable(L, 0, 3);
    SetView(L, "kind", KindName(one.kind));
    SetText(L, "id", one.id);
    SetView(L, "short_id", ShortId(one.id));
    lua_seti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
  return 1;
}

void PushParam(lua_State* L, const ParamSpec& param) {
  auto* type = NewOwned<std::string>(L);
  auto* values = NewOwned<std::string>(L);
  Try(L, [&] {
    *type = TypeNameOf(param);
    *values = Describe(param);
  });
  lua_createtable(L, 0, 7);
  SetText(L, "name", param.name);
  SetText(L, "type", *type);
  SetText(L, "values", *values);
  SetText(L, "doc", param.doc);
  PushTexts(L, param.choices);
  lua_setfield(L, -2, "choices");
  PushValue(L, param.default_value);
  lua_setfield(L, -2, "default");
  if (!param.active_if.empty()) SetText(L, "active_if", param.active_if);
  lua_replace(L, -3);
  lua_pop(L, 1);
}

// native.component(id [, kind]): { kind =, id =, short_id =, version =, title =, doc =, params = a
// list of { name =, type =, values = "integer >= 1, default 5", doc =, choices =, default =,
// active_if = }, text = all of it for people }. Loads the plugin. Raises for an unknown id.
int DescribeComponent(lua_State* L) {
  static const char* const kKinds[] = {"learner", "transform", "splitter", "metric", nullptr};
  std::size_t size = 0;
  const char* id = luaL_checklstring(L, 1, &size);
  const int kind = lua_isnoneornil(L, 2) ? -1 : luaL_checkoption(L, 2, nullptr, kKinds);
  Session& session = GetSession(L);
  auto* found = NewOwned<std::shared_ptr<const Component>>(L);
  auto* text = NewOwned<std::string>(L);
  Try(L, [&] {
    const PluginHost& plugins = session.plugins();
    const std::string_view name(id, size);
    *found = kind < 0 ? plugins.FindAny(name) : plugins.Find(static_cast<Kind>(kind), name);
    *text = ToText(**found);
  });
  const Component& component = **found;
  lua_createtable(L, 0, 8);
  SetView(L, "kind", KindName(component.kind));
  SetText(L, "id", component.id);
  SetView(L, "short_id", ShortId(component.id));
  SetText(L, "version", component.version);
  SetText(L, "title", component.title);
  SetText(L, "doc", component.doc);
  SetText(L, "text", *text);
  lua_createtable(L, static_cast<int>(component.params.size()), 0);
  for (std::size_t i = 0; i < component.params.size(); ++i) {
    PushParam(L, component.params[i]);
    lua_seti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
  lua_setfield(L, -2, "params");
  return 1;
}

}  // namespace

void OpenPlugins(lua_State* L) {
  static constexpr luaL_Reg kFunctions[] = {
      {"components", Components}, {"component", DescribeComponent}, {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
