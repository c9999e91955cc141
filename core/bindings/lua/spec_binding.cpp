// Learners, transforms, splitters and metrics as immutable specs, and pipelines of them.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/lua/native.h"
#include "bindings/lua/sandbox_state.h"
#include "crossfold/pipeline.h"
#include "crossfold/score.h"
#include "crossfold/spec.h"
#include "crossfold/spec_text.h"
#include "crossfold/test_sets.h"

namespace crossfold::lua {
namespace {

Kind CheckKind(lua_State* L, int arg) {
  static const char* const kNames[] = {"learner", "transform", "splitter", "metric", nullptr};
  return static_cast<Kind>(luaL_checkoption(L, arg, nullptr, kNames));
}

// native.spec(kind, id, params)
int MakeSpec(lua_State* L) {
  const Kind kind = CheckKind(L, 1);
  const std::string_view id = CheckText(L, 2);
  lua_settop(L, 3);
  auto* params = NewOwned<ParamValues>(L);
  ReadParams(L, 3, *params);
  Session& session = GetSession(L);
  if (SandboxState::Find(L) != nullptr && ShortId(id) == "debug") {
    Raise(L,
          "cannot make learner 'debug': it crashes and hangs on purpose, which a sandbox refuses; "
          "use it in a trusted script");
  }
  return RunAndPush(L, [&] {
    return SpecHandle{MakeNamedSpec(kind, std::string(id), std::move(*params), session.plugins())};
  });
}

// native.spec_of_text(kind, "f1{average=macro}"): what tostring gave.
int SpecOfText(lua_State* L) {
  const Kind kind = CheckKind(L, 1);
  const std::string_view text = CheckText(L, 2);
  Session& session = GetSession(L);
  return RunAndPush(L, [&] { return SpecHandle{ParseSpec(kind, text, session.plugins())}; });
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
  return RunAndPush(L, [&] { return PipelineHandle{Pipeline::Make(std::move(*steps))}; });
}

// spec:with{k = 7} and learner:with{k = 7}: a changed copy.
SpecHandle SpecWith(const SpecHandle& handle, Params params) {
  return {handle.spec->With(*params)};
}

PipelineHandle PipelineWith(const PipelineHandle& handle, Params params) {
  return {handle.pipeline->With(*params)};
}

// native.short_spec(text): the text of a spec for messages and reports.
std::string ShortSpec(std::string_view text) { return ShortSpecText(text); }

std::string SpecToString(const SpecHandle& handle) { return handle.spec->ToString(); }

std::string PipelineToString(const PipelineHandle& handle) { return handle.pipeline->ToString(); }

// Pushes {name = value} of every declared parameter, defaults included, and those of AddedParams
// that are given.
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
std::string_view SpecId(const SpecHandle& handle) { return handle.spec->component().id; }

std::string_view SpecShortId(const SpecHandle& handle) {
  return ShortId(handle.spec->component().id);
}

std::string_view SpecKind(const SpecHandle& handle) {
  return KindName(handle.spec->component().kind);
}

// The metric of a spec that must be one.
const cf_metric& MetricOf(const SpecHandle& handle) {
  const cf_metric* metric = handle.spec->component().metric;
  RequireArgument(metric != nullptr, 1, "a metric is expected");
  return *metric;
}

// metric:direction(): 1 = higher is better, -1 = lower is better, 0 = neither.
int MetricDirection(const SpecHandle& handle) { return MetricOf(handle).direction; }

// metric:range(): the worst and the best value; nil for one without bound.
std::pair<double, double> MetricRange(const SpecHandle& handle) {
  return {MetricOf(handle).worst, MetricOf(handle).best};
}

int PushRange(lua_State* L, const std::pair<double, double>& range) {
  for (const double bound : {range.first, range.second}) {
    if (std::isfinite(bound)) {
      lua_pushnumber(L, bound);
    } else {
      lua_pushnil(L);
    }
  }
  return 2;
}

// metric:needs_probabilities()
bool MetricNeedsProbabilities(const SpecHandle& handle) {
  return (MetricOf(handle).needs & CF_NEEDS_PROBABILITIES) != 0;
}

// native.test_size(metric): the rows of a test set, and of its rarest class, that it needs; 0 =
// any.
std::tuple<std::int64_t, std::int64_t> MetricTestSize(const SpecHandle& handle) {
  MetricOf(handle);
  const TestSize size = TestSizeOf(*handle.spec);
  return {size.rows, size.class_rows};
}

// native.is_mean_over_rows(metric, data): see test_sets.h.
bool MetricIsMean(const SpecHandle& handle, const DataView& view, Session& session) {
  MetricOf(handle);
  return IsMeanOverRows(*handle.spec, *view.data, session.plugins().log());
}

// native.aggregation(splits, metric or nil, rows, class_rows): what stands for the scores of the
// splits, one of the names of test_sets.h, by a metric that needs that number of rows in a test
// set. nil = a metric in Lua, which knows no weights.
std::string AggregationFor(const SplitsHandle& splits, const std::optional<SpecHandle*>& metric,
                           std::int64_t rows, std::int64_t class_rows, Session& session) {
  const TestSets sets = MeasureTestSets(*splits.plan);
  const bool is_mean =
      metric && !sets.weights.empty() &&
      IsMeanOverRows(*(*metric)->spec, *splits.plan->view().data, session.plugins().log());
  return AggregationName(ChooseAggregation(sets, {rows, class_rows}, is_mean));
}

// native.scored_class(metric, data): the class whose value the metric has for the data, and whether
// the data name it; nothing if the metric names it, or if all classes play the same part.
std::optional<ScoredClass> ScoredClassOf(const SpecHandle& handle, const DataView& view) {
  MetricOf(handle);
  return FindScoredClass(*handle.spec, *view.data);
}

int PushScoredClass(lua_State* L, const std::optional<ScoredClass>& found) {
  if (!found) return 0;
  PushText(L, found->name);
  lua_pushboolean(L, found->is_given ? 1 : 0);
  return 2;
}

// native.kind(value): "learner", "metric" ..., "dataset", "splits", "model", "prediction", or nil
// for other values.
int KindOf(lua_State* L) {
  const auto* spec = ToOwned<SpecHandle>(L, 1);
  const std::string_view kind = spec != nullptr ? KindName(spec->spec->component().kind)
                                : ToOwned<PipelineHandle>(L, 1) != nullptr   ? "learner"
                                : ToOwned<DataHandle>(L, 1) != nullptr       ? "dataset"
                                : ToOwned<SplitsHandle>(L, 1) != nullptr     ? "splits"
                                : ToOwned<ModelHandle>(L, 1) != nullptr      ? "model"
                                : ToOwned<PredictionHandle>(L, 1) != nullptr ? "prediction"
                                                                             : "";
  if (kind.empty()) {
    lua_pushnil(L);
  } else {
    PushText(L, kind);
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

}  // namespace

void OpenSpecs(lua_State* L) {
  RegisterType<SpecHandle>(L, {{"with", Native<SpecWith>},
                               {"params", SpecParams},
                               {"id", Native<SpecId>},
                               {"short_id", Native<SpecShortId>},
                               {"kind", Native<SpecKind>},
                               {"direction", Native<MetricDirection>},
                               {"range", Native<MetricRange, PushRange>},
                               {"needs_probabilities", Native<MetricNeedsProbabilities>},
                               {"__tostring", Native<SpecToString>}});
  RegisterType<PipelineHandle>(L, {{"with", Native<PipelineWith>},
                                   {"params", PipelineParams},
                                   {"fit", FitLearner},
                                   {"__tostring", Native<PipelineToString>}});
  AddFunctions(L, {{"spec", MakeSpec},
                   {"spec_of_text", SpecOfText},
                   {"pipeline", MakePipeline},
                   {"aggregation", Native<AggregationFor>},
                   {"test_size", Native<MetricTestSize>},
                   {"is_mean_over_rows", Native<MetricIsMean>},
                   {"kind", KindOf},
                   {"scored_class", Native<ScoredClassOf, PushScoredClass>},
                   {"plugin_of", PluginOf},
                   {"short_spec", Native<ShortSpec>}});
}

}  // namespace crossfold::lua
