// Learners, transforms, splitters and metrics as immutable specs, and pipelines of them.
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "bindings/lua/arguments.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "bindings/lua/sandbox_state.h"
#include "bindings/lua/session.h"
#include "crossfold/pipeline.h"
#include "crossfold/spec.h"
#include "crossfold/spec_text.h"

namespace crossfold::lua {
namespace {

Kind CheckKind(lua_State* L, int arg) {
  static const char* const kNames[] = {"learner", "transform", "splitter", "metric", nullptr};
  return static_cast<Kind>(luaL_checkoption(L, arg, nullptr, kNames));
}

// native.spec(kind, id, params)
int MakeSpec(lua_State* L) {
  const Kind kind = CheckKind(L, 1);
  std::size_t size = 0;
  const char* id = luaL_checklstring(L, 2, &size);
  lua_settop(L, 3);
  auto* params = NewOwned<ParamValues>(L);
  ReadParams(L, 3, *params);
  Session& session = GetSession(L);
  if (SandboxState::Find(L) != nullptr && ShortId(std::string_view(id, size)) == "debug") {
    Raise(L,
          "cannot make learner 'debug': it crashes and hangs on purpose, which a sandbox refuses; "
          "use it in a trusted script");
  }
  auto* handle = NewOwned<SpecHandle>(L);
  Try(L, [&] {
    handle->spec =
        MakeNamedSpec(kind, std::string(id, size), std::move(*params), session.plugins());
  });
  return 1;
}

// native.spec_of_text(kind, "f1{average=macro}"): what tostring gave.
int SpecOfText(lua_State* L) {
  const Kind kind = CheckKind(L, 1);
  std::size_t size = 0;
  const char* text = luaL_checklstring(L, 2, &size);
  Session& session = GetSession(L);
  auto* handle = NewOwned<SpecHandle>(L);
  Try(L, [&] { handle->spec = ParseSpec(kind, std::string_view(text, size), session.plugins()); });
  return 1;
}

// native.pipeline{spec, ...}: a learner.
int MakePipeline(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  auto* steps = NewOwned<std::vector<std::shared_ptr<const Spec>>>(L);
  const lua_Integer n = luaL_len(L, 1);
  for (lua_Integer i = 1; i <= n; ++i) {
    lua_geti(L, 1, i);
    if (const auto* spec = ToOwned<SpecHandle>(L, -1)) {
      Try(L, [&] { steps->push_back(spec->spec); });
    } else if (const auto* inner = ToOwned<PipelineHandle>(L, -1)) {
      Try(L, [&] {
        steps->insert(steps->end(), inner->pipeline->steps().begin(),
                      inner->pipeline->steps().end());
      });
    } else {
      Raise(L, lua_pushfstring(L,
                               "cannot make a pipeline: step %d is a %s, not a transform or "
                               "learner",
                               static_cast<int>(i), luaL_typename(L, -1)));
    }
    lua_pop(L, 1);
  }
  auto* handle = NewOwned<PipelineHandle>(L);
  Try(L, [&] { handle->pipeline = Pipeline::Make(std::move(*steps)); });
  return 1;
}

// spec:with{k = 7} and learner:with{k = 7}: a changed copy.
int SpecWith(lua_State* L) {
  SpecHandle& spec = CheckSpec(L, 1);
  lua_settop(L, 2);
  auto* params = NewOwned<ParamValues>(L);
  ReadParams(L, 2, *params);
  auto* handle = NewOwned<SpecHandle>(L);
  Try(L, [&] { handle->spec = spec.spec->With(*params); });
  return 1;
}

int PipelineWith(lua_State* L) {
  PipelineHandle& pipeline = CheckPipeline(L, 1);
  lua_settop(L, 2);
  auto* params = NewOwned<ParamValues>(L);
  ReadParams(L, 2, *params);
  auto* handle = NewOwned<PipelineHandle>(L);
  Try(L, [&] { handle->pipeline = pipeline.pipeline->With(*params); });
  return 1;
}

// native.short_spec(text): the text of a spec for messages and reports.
int ShortSpec(lua_State* L) {
  std::size_t size = 0;
  const char* given = luaL_checklstring(L, 1, &size);
  auto* text = NewOwned<std::string>(L);
  Try(L, [&] { *text = ShortSpecText({given, size}); });
  PushText(L, *text);
  return 1;
}

int SpecToString(lua_State* L) {
  SpecHandle& spec = CheckSpec(L, 1);
  auto* text = NewOwned<std::string>(L);
  Try(L, [&] { *text = spec.spec->ToString(); });
  PushText(L, *text);
  return 1;
}

int PipelineToString(lua_State* L) {
  PipelineHandle& pipeline = CheckPipeline(L, 1);
  auto* text = NewOwned<std::string>(L);
  Try(L, [&] { *text = pipeline.pipeline->ToString(); });
  PushText(L, *text);
  return 1;
}

// Pushes {name = value} of every declared parameter, defaults included, and those of AddedParams that are given.
void PushParams(lua_State* L, const Spec& spec) {
  const auto& declared = spec.component().params;
  lua_createtable(L, 0, static_cast<int>(declared.size()));
  for (std::size_t i = 0; i < declared.size(); ++i) {
    PushValue(L, spec.values()[i]);
    lua_setfield(L, -2, declared[i].name.c_str());
  }
  auto* added = NewOwned<ParamValues>(L);
  Try(L, [&] { *added = spec.added(); });
  for (const auto& [name, value] : *added) {
    PushValue(L, value);
    lua_setfield(L, -3, name.c_str());
  }
  lua_pop(L, 1);
}

int SpecParams(lua_State* L) {
  PushParams(L, *CheckSpec(L, 1).spec);
  return 1;
}

// learner:params([step]): of the learner, or of the step with this number.
int PipelineParams(lua_State* L) {
  const auto steps = CheckPipeline(L, 1).pipeline->steps();
  const auto n = static_cast<lua_Integer>(steps.size());
  const lua_Integer step = luaL_optinteger(L, 2, n);
  luaL_argcheck(L, step >= 1 && step <= n, 2, "there is no such step");
  PushParams(L, *steps[static_cast<std::size_t>(step - 1)]);
  return 1;
}

// spec:id(): "crossfold.knn".
int SpecId(lua_State* L) {
  PushText(L, CheckSpec(L, 1).spec->component().id);
  return 1;
}

int SpecShortId(lua_State* L) {
  const auto id = ShortId(CheckSpec(L, 1).spec->component().id);
  lua_pushlstring(L, id.data(), id.size());
  return 1;
}

int SpecKind(lua_State* L) {
  const auto kind = KindName(CheckSpec(L, 1).spec->component().kind);
  lua_pushlstring(L, kind.data(), kind.size());
  return 1;
}

// metric:direction(): 1 = higher is better, -1 = lower is better, 0 = neither.
int MetricDirection(lua_State* L) {
  const cf_metric* metric = CheckSpec(L, 1).spec->component().metric;
  luaL_argcheck(L, metric != nullptr, 1, "a metric is expected");
  lua_pushinteger(L, metric->direction);
  return 1;
}

// metric:range(): the worst and the best value; nil for one without bound.
int MetricRange(lua_State* L) {
  const cf_metric* metric = CheckSpec(L, 1).spec->component().metric;
  luaL_argcheck(L, metric != nullptr, 1, "a metric is expected");
  for (const double bound : {metric->worst, metric->best}) {
    if (std::isfinite(bound)) {
      lua_pushnumber(L, bound);
    } else {
      lua_pushnil(L);
    }
  }
  return 2;
}

// metric:needs_probabilities()
int MetricNeedsProbabilities(lua_State* L) {
  const cf_metric* metric = CheckSpec(L, 1).spec->component().metric;
  luaL_argcheck(L, metric != nullptr, 1, "a metric is expected");
  lua_pushboolean(L, (metric->needs & CF_NEEDS_PROBABILITIES) != 0);
  return 1;
}

// native.kind(value): "learner", "metric" ..., "dataset", "splits", "model", "prediction", or nil
// for other values.
int KindOf(lua_State* L) {
  if (ToOwned<PipelineHandle>(L, 1) != nullptr) {
    lua_pushliteral(L, "learner");
  } else if (const auto* spec = ToOwned<SpecHandle>(L, 1)) {
    const auto kind = KindName(spec->spec->component().kind);
    lua_pushlstring(L, kind.data(), kind.size());
  } else if (ToOwned<DataHandle>(L, 1) != nullptr) {
    lua_pushliteral(L, "dataset");
  } else if (ToOwned<SplitsHandle>(L, 1) != nullptr) {
    lua_pushliteral(L, "splits");
  } else if (ToOwned<ModelHandle>(L, 1) != nullptr) {
    lua_pushliteral(L, "model");
  } else if (ToOwned<PredictionHandle>(L, 1) != nullptr) {
    lua_pushliteral(L, "prediction");
  } else {
    lua_pushnil(L);
  }
  return 1;
}

// native.plugin_of(learner or spec): id, version, sha256 of the file, for provenance.
int PluginOf(lua_State* L) {
  const Spec* spec = nullptr;
  if (const auto* pipeline = ToOwned<PipelineHandle>(L, 1)) {
    spec = &pipeline->pipeline->learner();
  } else {
    spec = CheckSpec(L, 1).spec.get();
  }
  const LoadedPlugin& plugin = *spec->component().plugin;
  PushText(L, plugin.id);
  PushText(L, plugin.version);
  PushText(L, plugin.sha256);
  return 3;
}

constexpr luaL_Reg kSpecMethods[] = {
    {"with", SpecWith},     {"params", SpecParams},
    {"id", SpecId},         {"short_id", SpecShortId},
    {"kind", SpecKind},     {"direction", MetricDirection},
    {"range", MetricRange}, {"needs_probabilities", MetricNeedsProbabilities},
    {nullptr, nullptr}};
constexpr luaL_Reg kSpecMetamethods[] = {{"__tostring", SpecToString}, {nullptr, nullptr}};
constexpr luaL_Reg kPipelineMetamethods[] = {{"__tostring", PipelineToString}, {nullptr, nullptr}};

}  // namespace

void OpenSpecs(lua_State* L) {
  static constexpr luaL_Reg kFunctions[] = {
      {"spec", MakeSpec}, {"spec_of_text", SpecOfText}, {"pipeline", MakePipeline},
      {"kind", KindOf},   {"plugin_of", PluginOf},      {"short_spec", ShortSpec},
      {nullptr, nullptr}};
  static constexpr luaL_Reg kPipelineMethods[] = {
      {"with", PipelineWith}, {"params", PipelineParams}, {"fit", FitLearner}, {nullptr, nullptr}};
  RegisterType<SpecHandle>(L, kSpecName, kSpecMethods, kSpecMetamethods);
  RegisterType<PipelineHandle>(L, kPipelineName, kPipelineMethods, kPipelineMetamethods);
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
