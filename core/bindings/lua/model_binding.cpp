// Fitted models: fitting, predicting, saving, looking into them. ensemble_binding.cpp loads them.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/lua/native.h"
#include "bindings/lua/planning.h"
#include "crossfold/error.h"
#include "crossfold/fit_models.h"
#include "crossfold/run.h"

namespace crossfold::lua {
namespace {

int PredictPlanned(lua_State* L, const std::shared_ptr<const Dataset>& trained) {
  const DataHandle& data = CheckData(L, 2);
  auto* handle = NewOwned<PredictionHandle>(L);
  Try(L, [&] {
    handle->make = [rows = data.view, trained] { return PlannedPrediction(rows, *trained); };
  });
  handle->data = trained;
  if (!data.target_hidden) handle->truth = data.view.data;
  return 1;
}

// native.refuse_coverage(name): raises that the model of this name has no out-of-fold errors.
void RefuseCoverage(const char* name) {
  throw Error(ErrorKind::kInvalidArgument, RefusedCoverage(name));
}

// Argument 3 may be a table of options, but this model takes none.
void RefuseOptions(lua_State* L, const FittedModel& model) {
  if (lua_isnoneornil(L, 3)) return;
  luaL_checktype(L, 3, LUA_TTABLE);
  lua_pushnil(L);
  if (lua_next(L, 3) == 0) return;
  lua_pop(L, 1);
  const char* name = luaL_tolstring(L, -1, nullptr);
  if (std::string_view(name) != "coverage") {
    Raise(L, lua_pushfstring(L, "predict: unknown option '%s'; known: coverage", name));
  }
  auto* text = NewOwned<std::string>(L);
  Try(L, [&] { *text = RefusedCoverage(model.learner().ToString()); });
  Raise(L, text->c_str());
}

// model:predict(data)
int Predict(lua_State* L) {
  const auto& planned = CheckOwned<ModelHandle>(L, 1).planned;
  if (planned != nullptr) return PredictPlanned(L, planned);
  const ModelHandle& model = CheckModel(L, 1);
  const DataHandle& data = CheckData(L, 2);
  RefuseOptions(L, *model.model);
  Session& session = GetSession(L);
  return RunAndPush(L, [&] {
    PredictionHandle handle;
    handle.prediction =
        std::make_shared<const Prediction>(model.model->Predict(data.view, session.run_options()));
    handle.model = model.model;
    if (!data.target_hidden) handle.truth = data.view.data;
    return handle;
  });
}

// model:save(path)
void Save(const ModelHandle& model, std::string_view path, const Session& session) {
  const std::string file(path);
  if (session.files.restricted()) return session.files.Make(file, model.model->ToBytes(file));
  session.files.CheckWrite(file);
  model.model->Save(file);
}

// model:to_bytes(name): what save writes; messages use `name` as the file's name.
std::string ModelBytes(const ModelHandle& model, std::string_view name) {
  return model.model->ToBytes(std::string(name));
}

// model:importance(): a list of { feature =, value = }, as the learner saw the features.
std::vector<FeatureImportance> Importance(const ModelHandle& model, Session& session) {
  return model.model->Importance(session.run_options());
}

void PushImportance(lua_State* L, const std::vector<FeatureImportance>& importance) {
  PushList(L, importance, [L](const FeatureImportance& one) {
    PushTable(L, Field("feature", one.feature));
    lua_pushnumber(L, one.value);
    lua_setfield(L, -2, "value");
  });
}

// model:export(format): the learner's model as text.
std::string Export(const ModelHandle& model, std::string_view format, Session& session) {
  return model.model->Export(format, session.run_options());
}

// model:export_formats(): empty if the learner cannot be exported.
std::vector<std::string> ExportFormats(const ModelHandle& model) {
  return model.model->export_formats();
}

// model:learner(): what was fitted, a learner that can be fitted again.
PipelineHandle Learner(const ModelHandle& model) { return {model.model->shared_learner()}; }

// model:classes(): in their fixed order; empty in regression.
std::span<const std::string> ModelClasses(const ModelHandle& model) {
  return model.model->training().class_names;
}

// model:features(): the names of the columns that predict needs.
int ModelFeatures(lua_State* L) {
  PushFeatureNames(L, CheckModel(L, 1).model->features());
  return 1;
}

// model:target(): its column's name.
std::string_view ModelTarget(const ModelHandle& model) {
  return model.model->training().target.name;
}

std::string ModelToString(const ModelHandle& model) {
  return "model of " + Printable(model.model->learner().ToString(), true);
}

struct FitOptions {
  lua_Integer seed;
  const ModelHandle* start = nullptr;  // owned by the table of options
};

// The integer on top of the stack.
lua_Integer ReadSeed(lua_State* L) {
  int is_integer = 0;
  const lua_Integer seed = lua_tointegerx(L, -1, &is_integer);
  if (is_integer == 0 || lua_type(L, -1) != LUA_TNUMBER) {
    Raise(L, lua_pushfstring(L, "fit: option 'seed' must be an integer, got a %s",
                             luaL_typename(L, -1)));
  }
  return seed;
}

// The model on top of the stack. Those of ensembles are tables, which identify themselves.
const ModelHandle* ReadStart(lua_State* L) {
  const auto* start = ToOwned<ModelHandle>(L, -1);
  if (start == nullptr) {
    const bool tells = luaL_getmetafield(L, -1, "__tostring") != LUA_TNIL;
    if (tells) lua_pop(L, 1);
    Raise(L, lua_pushfstring(L,
                             "fit: option 'start' must be the model of a learner or of transforms "
                             "and a learner, got a %s",
                             tells ? luaL_tolstring(L, -1, nullptr) : luaL_typename(L, -1)));
  }
  return start;
}

// {seed = 1, start = model} at argument 3.
void ReadFitOptions(lua_State* L, FitOptions& options) {
  luaL_checktype(L, 3, LUA_TTABLE);
  lua_pushnil(L);
  while (lua_next(L, 3) != 0) {
    const std::string_view name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
    if (name == "seed") {
      options.seed = ReadSeed(L);
    } else if (name == "start") {
      options.start = ReadStart(L);
    } else {
      Raise(L, lua_pushfstring(L, "fit: unknown option '%s'; known: seed, start",
                               luaL_tolstring(L, -2, nullptr)));
    }
    lua_pop(L, 1);
  }
}

// native.fit_models({{learner =, data =, seed =}, ...}, workers): a list with a model for each, or
// the text of its error; raises the cancelled value if the host asked to stop.
int FitAll(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  Session& session = GetSession(L);
  const lua_Integer workers = luaL_optinteger(L, 2, session.options.workers);
  auto* jobs = NewOwned<std::vector<FitJob>>(L);
  const lua_Integer n = luaL_len(L, 1);
  for (lua_Integer i = 1; i <= n; ++i) {
    luaL_argcheck(L, lua_geti(L, 1, i) == LUA_TTABLE, 1, "a list of fits is expected");
    lua_getfield(L, -1, "learner");
    const PipelineHandle& learner = CheckPipeline(L, lua_gettop(L));
    lua_getfield(L, -2, "data");
    const DataView& view = CheckTrainingData(L, lua_gettop(L));
    lua_getfield(L, -3, "seed");
    const auto seed = static_cast<std::uint64_t>(luaL_checkinteger(L, -1));
    Try(L, [&] { jobs->push_back(FitJob{learner.pipeline, view, seed}); });
    lua_pop(L, 4);
  }
  auto* answers = NewOwned<std::vector<FitAnswer>>(L);
  Try(L, [&] { *answers = session.engine().Fit(*jobs, workers); });
  PushList(L, *answers, [L](const FitAnswer& answer) {
    if (answer.problem) {
      lua_pushstring(L, answer.problem->c_str());
    } else {
      *NewOwned<ModelHandle>(L) = answer.handle;
    }
  });
  return 1;
}

}  // namespace

// learner:fit(data, {seed = 1, start = model}): a model fitted on all rows.
int FitLearner(lua_State* L) {
  const auto& learner = CheckPipeline(L, 1);
  const DataView& view = CheckTrainingData(L, 2);
  Session& session = GetSession(L);
  FitOptions options{static_cast<lua_Integer>(session.options.seed)};
  if (!lua_isnoneornil(L, 3)) ReadFitOptions(L, options);
  RunAndPush(L, [&] {
    CheckCompatible(*learner.pipeline, *view.data);
    const FitJob job{learner.pipeline, view, static_cast<std::uint64_t>(options.seed)};
    const FittedModel* start = options.start == nullptr ? nullptr : options.start->model.get();
    return session.engine().Fit(job, start);
  });
  session.engine().EndCall(L, "learner:fit");
  return 1;
}

void PushFeatureNames(lua_State* L, std::span<const ColumnDeclaration> features) {
  PushList(L, features, [L](const ColumnDeclaration& feature) { PushText(L, feature.name); });
}

void OpenModels(lua_State* L) {
  RegisterType<ModelHandle>(L, {{"predict", Predict},
                                {"save", Native<Save>},
                                {"to_bytes", Native<ModelBytes>},
                                {"importance", Native<Importance, PushImportance>},
                                {"export", Native<Export>},
                                {"export_formats", Native<ExportFormats>},
                                {"learner", Native<Learner>},
                                {"classes", Native<ModelClasses>},
                                {"features", ModelFeatures},
                                {"target", Native<ModelTarget>},
                                {"__tostring", Native<ModelToString>}});
  AddFunctions(L, {{"fit_models", FitAll}, {"refuse_coverage", Native<RefuseCoverage>}});
}

}  // namespace crossfold::lua
