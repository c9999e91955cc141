// The conformance kit for components of plugins: its checks, each in a process of its own.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/lua/arguments.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "bindings/lua/sandbox_state.h"
#include "bindings/lua/session.h"
#include "crossfold/component.h"
#include "crossfold/error.h"
#include "crossfold/pipeline.h"
#include "crossfold/plugin_check.h"
#include "crossfold/spec.h"

namespace crossfold::lua {
namespace {

// The spec of a component under its defaults, alone in its pipeline; null for everything else.
// Raises nothing.
const Spec* FindPlainSpec(lua_State* L, int arg) {
  const Spec* spec = nullptr;
  if (const auto* pipeline = ToOwned<PipelineHandle>(L, arg)) {
    if (pipeline->pipeline->steps().size() != 1) return nullptr;
    spec = pipeline->pipeline->steps().front().get();
  } else if (const auto* handle = ToOwned<SpecHandle>(L, arg)) {
    spec = handle->spec.get();
  }
  return spec != nullptr && spec->given().empty() ? spec : nullptr;
}

// native.checked_scope(value): "learner", "metric" ... if its plugin's checks are about it, or nil.
int CheckedScope(lua_State* L) {
  const Spec* spec = FindPlainSpec(L, 1);
  if (spec == nullptr) return 0;
  const std::string_view name = KindName(spec->component().kind);
  lua_pushlstring(L, name.data(), name.size());
  return 1;
}

// native.known_checks(): a list of { name =, scope =, level = }.
int ListChecks(lua_State* L) {
  auto* checks = NewOwned<std::vector<CheckDescription>>(L);
  Try(L, [&] { *checks = KnownChecks(); });
  lua_createtable(L, static_cast<int>(checks->size()), 0);
  for (std::size_t i = 0; i < checks->size(); ++i) {
    const CheckDescription& check = (*checks)[i];
    lua_createtable(L, 0, 3);
    SetText(L, "name", check.name);
    const std::string_view scope = CheckScopeName(check.scope);
    lua_pushlstring(L, scope.data(), scope.size());
    lua_setfield(L, -2, "scope");
    lua_pushinteger(L, check.level);
    lua_setfield(L, -2, "level");
    lua_seti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
  return 1;
}

// native.check_component(value, include, seed, strictness): a list of { check =, component =,
// outcome =, text =, seconds = }. REQUIRES: checked_scope(value) is not nil.
int CheckComponent(lua_State* L) {
  const Spec* spec = FindPlainSpec(L, 1);
  luaL_argcheck(L, spec != nullptr, 1, "a component of a plugin is expected");
  const char* include = luaL_checkstring(L, 2);
  const auto seed = static_cast<std::uint64_t>(luaL_checkinteger(L, 3));
  const auto strictness = static_cast<int>(luaL_checkinteger(L, 4));
  if (SandboxState::Find(L) != nullptr) {
    Raise(L,
          "cannot check a component of a plugin: its checks run in processes of their own, which a "
          "sandbox refuses; use crossfold plugin check");
  }
  const Session& session = GetSession(L);
  auto* options = NewOwned<CheckOptions>(L);
  auto* report = NewOwned<CheckReport>(L);
  Try(L, [&] {
    options->include = include;
    options->seed = seed;
    options->strictness = strictness;
    options->component = spec->component().id;
    options->cancel = session.cancel();
    *report = CheckPlugin(spec->component().plugin->path, *options);
    if (session.cancel() != nullptr && session.cancel()->cancelled()) {
      throw Error(ErrorKind::kCancelled, "cancelled");
    }
  });
  lua_createtable(L, static_cast<int>(report->results.size()), 0);
  for (std::size_t i = 0; i < report->results.size(); ++i) {
    const CheckResult& result = report->results[i];
    lua_createtable(L, 0, 5);
    SetText(L, "check", result.check);
    SetText(L, "component", result.component);
    SetText(L, "text", result.text);
    SetNumber(L, "seconds", result.seconds);
    const std::string_view outcome = CheckOutcomeName(result.outcome);
    lua_pushlstring(L, outcome.data(), outcome.size());
    lua_setfield(L, -2, "outcome");
    lua_seti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
  return 1;
}

}  // namespace

void OpenChecks(lua_State* L) {
  static constexpr luaL_Reg kFunctions[] = {{"checked_scope", CheckedScope},
                                            {"known_checks", ListChecks},
                                            {"check_component", CheckComponent},
                                            {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
