// What the plugins offer, for the prompt and for other programs that show it.
#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/lua/native.h"
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

// native.components(): a list of { kind = "learner", id = "crossfold.knn", short_id = "knn" }, by
// kind and id. Loads no plugin.
std::vector<Named> Components(Session& session) { return NamedComponents(session.plugins()); }

void PushComponents(lua_State* L, const std::vector<Named>& found) {
  PushList(L, found, [L](const Named& one) {
    PushTable(L, Field("kind", KindName(one.kind)), Field("id", one.id),
              Field("short_id", ShortId(one.id)));
  });
}

void PushParam(lua_State* L, const ParamSpec& param) {
  auto* type = NewOwned<std::string>(L);
  auto* values = NewOwned<std::string>(L);
  Try(L, [&] {
    *type = TypeNameOf(param);
    *values = Describe(param);
  });
  PushTable(L, Field("name", param.name), Field("type", *type), Field("values", *values),
            Field("doc", param.doc), Field("choices", param.choices),
            Field("active_if", NotEmpty(param.active_if)));
  PushValue(L, param.default_value);
  lua_setfield(L, -2, "default");
  lua_replace(L, -3);
  lua_pop(L, 1);
}

// native.component(id [, kind]): { kind =, id =, short_id =, version =, title =, doc =, params = a
// list of { name =, type =, values = "integer >= 1, default 5", doc =, choices =, default =,
// active_if = }, text = all of it for people }. Loads the plugin. Raises for an unknown id.
int DescribeComponent(lua_State* L) {
  static const char* const kKinds[] = {"learner", "transform", "splitter", "metric", nullptr};
  const std::string_view id = CheckText(L, 1);
  const int kind = lua_isnoneornil(L, 2) ? -1 : luaL_checkoption(L, 2, nullptr, kKinds);
  Session& session = GetSession(L);
  auto* found = NewOwned<std::shared_ptr<const Component>>(L);
  auto* text = NewOwned<std::string>(L);
  Try(L, [&] {
    const PluginHost& plugins = session.plugins();
    *found = kind < 0 ? plugins.FindAny(id) : plugins.Find(static_cast<Kind>(kind), id);
    *text = ToText(**found);
  });
  const Component& component = **found;
  PushTable(L, Field("kind", KindName(component.kind)), Field("id", component.id),
            Field("short_id", ShortId(component.id)), Field("version", component.version),
            Field("title", component.title), Field("doc", component.doc), Field("text", *text));
  SetList(L, "params", component.params, [L](const ParamSpec& param) { PushParam(L, param); });
  return 1;
}

}  // namespace

void OpenPlugins(lua_State* L) {
  AddFunctions(
      L, {{"components", Native<Components, PushComponents>}, {"component", DescribeComponent}});
}

}  // namespace crossfold::lua
