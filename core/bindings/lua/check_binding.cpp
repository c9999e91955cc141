// The conformance kit for components of plugins. crossfold-plugin has it: its answers are read
// here.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/lua/arguments.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "bindings/lua/sandbox_state.h"
#include "bindings/lua/session.h"
#include "crossfold/component.h"
#include "crossfold/error.h"
#include "crossfold/json_value.h"
#include "crossfold/pipeline.h"
#include "crossfold/spec.h"
#include "discovery/child_program.h"
#include "discovery/program_search.h"

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
  PushText(L, KindName(spec->component().kind));
  return 1;
}

void RefuseInSandbox(lua_State* L) {
  if (SandboxState::Find(L) != nullptr) {
    Raise(L,
          "cannot check a component of a plugin: its checks run in processes of their own, which a "
          "sandbox refuses; use crossfold plugin check");
  }
}

// What `crossfold plugin check` prints as JSON with these arguments. Throws Error with the message
// that it prints instead.
JsonValue KitAnswer(std::vector<std::string> arguments, const CancelToken* cancel) {
  arguments.insert(arguments.begin(), {"plugin", "check", "--json"});
  const std::string printed =
      OutputOf(FindProgram(PluginProgram("check a plugin"), ""), arguments, cancel);
  if (cancel != nullptr && cancel->cancelled()) throw Error(ErrorKind::kCancelled, "cancelled");
  if (std::optional<JsonValue> answer = ParseJson(printed)) return *std::move(answer);
  constexpr std::string_view kName = "crossfold: ";
  std::string_view problem = printed;
  if (problem.starts_with(kName)) problem.remove_prefix(kName.size());
  while (problem.ends_with('\n')) problem.remove_suffix(1);
  throw Error(ErrorKind::kInvalidArgument, std::string(problem));
}

// Copies the text of a member to the table at the top.
void CopyText(lua_State* L, const JsonValue& from, const char* member, const char* field) {
  if (const auto* text = from.FindAs<std::string>(member)) SetField(L, field, *text);
}

// Pushes a list of what `push` pushes for each element of `list`, which may be null.
template <class Push>
void PushElements(lua_State* L, const JsonList* list, Push push) {
  if (list == nullptr) return lua_newtable(L);
  PushList(L, *list, push);
}

// native.known_checks(): a list of { name =, scope =, level = }.
int ListChecks(lua_State* L) {
  RefuseInSandbox(L);
  auto* checks = NewOwned<std::optional<JsonValue>>(L);
  Try(L, [&] { *checks = KitAnswer({"--list"}, nullptr); });
  PushElements(L, (*checks)->As<JsonList>(), [L](const JsonValue& check) {
    lua_createtable(L, 0, 3);
    CopyText(L, check, "check", "name");
    CopyText(L, check, "of", "scope");
    if (const auto* level = check.FindAs<std::int64_t>("level")) SetField(L, "level", *level);
  });
  return 1;
}

// native.check_component(value, include, seed, strictness): a list of { check =, component =,
// outcome =, text =, seconds = }. REQUIRES: checked_scope(value) is not nil.
int CheckComponent(lua_State* L) {
  const Spec* spec = FindPlainSpec(L, 1);
  luaL_argcheck(L, spec != nullptr, 1, "a component of a plugin is expected");
  const char* include = luaL_checkstring(L, 2);
  const auto seed = static_cast<std::uint64_t>(luaL_checkinteger(L, 3));
  const auto strictness = luaL_checkinteger(L, 4);
  RefuseInSandbox(L);
  const Session& session = GetSession(L);
  auto* report = NewOwned<std::optional<JsonValue>>(L);
  Try(L, [&] {
    *report = KitAnswer({"--include", include, "--seed", std::to_string(seed), "--strictness",
                         std::to_string(strictness), "--component", spec->component().id, "--",
                         spec->component().plugin->path.string()},
                        session.cancel());
  });
  PushElements(L, (*report)->FindAs<JsonList>("results"), [L](const JsonValue& result) {
    lua_createtable(L, 0, 5);
    for (const char* field : {"check", "component", "outcome", "text"})
      CopyText(L, result, field, field);
    const auto* seconds = result.FindAs<double>("seconds");
    SetField(L, "seconds", seconds == nullptr ? 0.0 : *seconds);  // 0 is written without a point
  });
  return 1;
}

}  // namespace

void OpenChecks(lua_State* L) {
  AddFunctions(L, {{"checked_scope", CheckedScope},
                   {"known_checks", ListChecks},
                   {"check_component", CheckComponent}});
}

}  // namespace crossfold::lua
