// Parameters of learners and transforms: what is declared, what a setting changes, and declarations
// of what is written in Lua.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "bindings/lua/native.h"
#include "crossfold/error.h"
#include "crossfold/json_value.h"
#include "crossfold/nearest_name.h"
#include "crossfold/pipeline.h"
#include "engine/plugin/declaration.h"

namespace crossfold::lua {
namespace {

constexpr const char* kTypeNames[] = {"real",     "integer", "boolean", "choice", "string",
                                      "integers", "reals",   "strings", nullptr};
constexpr std::int32_t kTypes[] = {CF_P_REAL,   CF_P_INT,      CF_P_BOOL,      CF_P_CHOICE,
                                   CF_P_STRING, CF_P_INT_LIST, CF_P_REAL_LIST, CF_P_STRING_LIST};

const char* TypeName(const ParamSpec& param) {
  if (IsObject(param)) return "object";
  for (std::size_t i = 0; i < std::size(kTypes); ++i) {
    if (kTypes[i] == param.type) return kTypeNames[i];
  }
  return "unknown";
}

// The learner or the step at `arg`, which must be one of these.
struct Parameterized {
  const Pipeline* pipeline = nullptr;
  const Spec* step = nullptr;

  // What `name` means, and its name in its step. Throws Error.
  Pipeline::Param Find(const std::string& name) const {
    if (pipeline != nullptr) return pipeline->Find(name);
    if (step->has_param(name)) return {0, step->FindParam(name), name};
    std::vector<std::string> known;
    for (const ParamSpec& param : step->component().params) known.push_back(param.name);
    throw Error(ErrorKind::kInvalidArgument, "cannot change '" + step->ToString() +
                                                 "': unknown parameter '" + name + "'; " +
                                                 KnownNames(name, known));
  }

  ParamValues WithoutInactive(const ParamValues& params) const {
    return pipeline != nullptr ? pipeline->WithoutInactive(params) : step->WithoutInactive(params);
  }
};

Parameterized CheckParameterized(lua_State* L, int arg) {
  if (const auto* spec = ToOwned<SpecHandle>(L, arg)) return {nullptr, spec->spec.get()};
  return {CheckPipeline(L, arg).pipeline.get(), nullptr};
}

// Sets low and high of the table on top of the stack; a bound that does not exist is left out.
void SetBounds(lua_State* L, const ParamSpec& param) {
  if (param.type == CF_P_INT) {
    using Limits = std::numeric_limits<std::int64_t>;
    if (param.ilo != Limits::min()) SetField(L, "low", param.ilo);
    if (param.ihi != Limits::max()) SetField(L, "high", param.ihi);
  } else if (param.type == CF_P_REAL) {
    if (std::isfinite(param.lo)) SetField(L, "low", param.lo);
    if (std::isfinite(param.hi)) SetField(L, "high", param.hi);
  }
}

// native.declared_param(learner or step, name): {type =, low =, high =, low_open =, high_open =,
// log =, choices =, active_if =, text =} of what try_with would change, or nil and why there is no
// such one. Of an entry of an object, such as "settings.max_depth", only type = "entry" and text
// are known.
int DeclaredParam(lua_State* L) {
  const Parameterized subject = CheckParameterized(L, 1);
  const std::string_view given = CheckText(L, 2);
  auto* text = NewOwned<std::string>(L);
  const ParamSpec* found = nullptr;
  bool is_entry = false;
  ErrorText error;
  if (!Protect(error, [&] {
        const Pipeline::Param named = subject.Find(std::string(given));
        found = named.spec;
        is_entry = named.name != found->name;
        *text = is_entry ? "an entry of the object '" + found->name + "'" : Describe(*found);
      })) {
    lua_pushnil(L);
    lua_pushstring(L, error.text);
    return 2;
  }
  const ParamSpec& param = *found;
  PushTable(L, Field("type", is_entry ? "entry" : TypeName(param)), Field("text", *text),
            Field("active_if", NotEmpty(param.active_if)),
            Field("low_open", (param.flags & CF_PF_LO_OPEN) != 0),
            Field("high_open", (param.flags & CF_PF_HI_OPEN) != 0),
            Field("log", (param.flags & CF_PF_LOG) != 0));
  SetBounds(L, param);
  if (param.type == CF_P_CHOICE) SetField(L, "choices", param.choices);
  return 1;
}

// native.try_with(learner or step, params): the changed copy, or nil and what is wrong with it. For
// grids, which collect the problems of all candidates before they raise.
int TryWith(lua_State* L) {
  const Parameterized subject = CheckParameterized(L, 1);
  lua_settop(L, 2);
  auto* params = NewOwned<ParamValues>(L);
  ReadParams(L, 2, *params);
  ErrorText error;
  bool made = false;
  if (subject.pipeline != nullptr) {
    auto* handle = NewOwned<PipelineHandle>(L);
    made = Protect(error, [&] { handle->pipeline = subject.pipeline->With(*params); });
  } else {
    auto* handle = NewOwned<SpecHandle>(L);
    made = Protect(error, [&] { handle->spec = subject.step->With(*params); });
  }
  if (made) return 1;
  lua_pushnil(L);
  lua_pushstring(L, error.text);
  return 2;
}

// native.active_params(learner or step, params): `params` without those that the others make
// inactive.
int ActiveParams(lua_State* L) {
  const Parameterized subject = CheckParameterized(L, 1);
  lua_settop(L, 2);
  auto* params = NewOwned<ParamValues>(L);
  ReadParams(L, 2, *params);
  auto* active = NewOwned<ParamValues>(L);
  Try(L, [&] { *active = subject.WithoutInactive(*params); });
  lua_newtable(L);
  for (const auto& [name, value] : *active) {
    PushText(L, name);
    lua_getfield(L, 2, name.c_str());  // as the script wrote it
    lua_rawset(L, -3);
  }
  return 1;
}

// native.nested_json(table): what an object has as this value, in the form that specs have it; nil
// for a list of numbers or of strings.
int NestedJson(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  auto* value = NewOwned<Value>(L);
  ReadValue(L, 1, "the value", *value);
  if (std::get_if<Nested>(value) == nullptr) return 0;
  return RunAndPush(L, [&] { return CanonicalJsonText(JsonOf(*value)); });
}

// Field `name` of the declaration on top of the stack, as a bound of an integer.
void ReadBound(lua_State* L, const char* name, std::int64_t& bound) {
  if (lua_getfield(L, -1, name) != LUA_TNIL) {
    int is_integer = 0;
    bound = lua_tointegerx(L, -1, &is_integer);
    if (is_integer == 0) {
      Raise(L, lua_pushfstring(L, "the bound '%s' of an integer must be an integer", name));
    }
  }
  lua_pop(L, 1);
}

void ReadBound(lua_State* L, const char* name, double& bound) {
  if (lua_getfield(L, -1, name) != LUA_TNIL) bound = lua_tonumber(L, -1);
  lua_pop(L, 1);
}

void ReadParamFlag(lua_State* L, const char* name, std::uint32_t flag, ParamSpec& param) {
  if (FlagField(L, -1, name)) param.flags |= flag;
}

// The declaration on top of the stack; the script has checked the types of its fields.
void ReadDeclaration(lua_State* L, ParamSpec& param) {
  ReadStringField(L, -1, "name", param.name);
  lua_getfield(L, -1, "type");
  param.type = kTypes[luaL_checkoption(L, -1, nullptr, kTypeNames)];
  lua_pop(L, 1);
  param.ilo = std::numeric_limits<std::int64_t>::min();
  param.ihi = std::numeric_limits<std::int64_t>::max();
  param.lo = -std::numeric_limits<double>::infinity();
  param.hi = std::numeric_limits<double>::infinity();
  if (param.type == CF_P_INT || param.type == CF_P_INT_LIST) {
    ReadBound(L, "low", param.ilo);
    ReadBound(L, "high", param.ihi);
  } else {
    ReadBound(L, "low", param.lo);
    ReadBound(L, "high", param.hi);
  }
  ReadParamFlag(L, "low_open", CF_PF_LO_OPEN, param);
  ReadParamFlag(L, "high_open", CF_PF_HI_OPEN, param);
  ReadParamFlag(L, "log", CF_PF_LOG, param);
  if (lua_getfield(L, -1, "choices") == LUA_TTABLE) {
    ReadStrings(L, -1, "the choices", param.choices);
  }
  lua_pop(L, 1);
  ReadStringField(L, -1, "active_if", param.active_if);
  lua_getfield(L, -1, "default");
  ReadValue(L, -1, "default", param.default_value);
  if (IsNull(L, -1)) param.flags |= CF_PF_NULLABLE;
  lua_pop(L, 1);
}

// native.declare("learner" or "transform", name, {{name =, type =, low =, high =, ...}, ...}): a
// step whose functions are written in Lua, with the defaults of its parameters.
int Declare(lua_State* L) {
  static const char* const kKinds[] = {"learner", "transform", nullptr};
  const Kind kind =
      luaL_checkoption(L, 1, nullptr, kKinds) == 0 ? Kind::kLearner : Kind::kTransform;
  const std::string_view name = CheckText(L, 2);
  luaL_checktype(L, 3, LUA_TTABLE);
  auto* params = NewOwned<std::vector<ParamSpec>>(L);
  const lua_Integer n = luaL_len(L, 3);
  for (lua_Integer i = 1; i <= n; ++i) {
    lua_geti(L, 3, i);
    Try(L, [&] { params->emplace_back(); });
    ReadDeclaration(L, params->back());
    lua_pop(L, 1);
  }
  return RunAndPush(L, [&] {
    return SpecHandle{
        Spec::Make(DeclareComponent(kind, std::string(name), std::move(*params)), {})};
  });
}

}  // namespace

void OpenParams(lua_State* L) {
  AddFunctions(L, {{"active_params", ActiveParams},
                   {"declare", Declare},
                   {"declared_param", DeclaredParam},
                   {"nested_json", NestedJson},
                   {"try_with", TryWith}});
}

}  // namespace crossfold::lua
