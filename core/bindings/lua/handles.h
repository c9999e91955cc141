// The objects that scripts hold: small boxes around shared, immutable C++ values.
#pragma once

#include <cstddef>
#include <functional>
#include <lua.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bindings/lua/box.h"
#include "bindings/lua/outcome_table.h"
#include "bindings/lua/protect.h"
#include "crossfold/cell.h"
#include "crossfold/conformal.h"
#include "crossfold/dataset.h"
#include "crossfold/fitted_model.h"
#include "crossfold/outcome.h"

namespace crossfold::lua {

// Rows of a dataset. With `target_hidden` a script cannot reach targets, weights or groups, and it
// cannot be trained on: what a learner written in Lua gets for prediction.
struct DataHandle {
  DataView view;
  bool target_hidden = false;
};

struct SpecHandle {
  std::shared_ptr<const Spec> spec;
};

// A learner is always a pipeline, most often of one step.
struct PipelineHandle {
  std::shared_ptr<const Pipeline> pipeline;
};

struct SplitsHandle {
  std::shared_ptr<const SplitPlan> plan;
};

struct PredictionHandle {
  std::shared_ptr<const Prediction> prediction;
  // Makes `prediction` when it is asked for first; empty = it is there.
  std::function<std::shared_ptr<const Prediction>()> make;
  std::shared_ptr<const FittedModel> model;  // what predicted; null = a cell or a learner in Lua
  std::shared_ptr<const Dataset> data;       // without a model: whose classes the labels are
  std::shared_ptr<const Dataset> truth;      // whose rows these are; null if their target is hidden
  std::shared_ptr<const PredictionRegions> regions;  // intervals or sets; null = none

  // Of what was trained on.
  std::span<const std::string> class_names() const {
    return model ? std::span<const std::string>(model->training().class_names)
                 : data->class_names();
  }
  Task task() const { return model ? model->training().task : data->task(); }
  const std::string& dataset_name() const {
    return model ? model->training().dataset : data->name();
  }
};

// A range of the outcomes of one run.
struct OutcomesHandle {
  std::shared_ptr<OutcomeTable> outcomes;
  std::size_t first = 0, count = 0;
};

struct ModelHandle {
  std::shared_ptr<const FittedModel> model;
  std::shared_ptr<const Dataset> planned;  // instead: what it would be trained on (planning.h)
};

// What a model of an ensemble, which is a table, remembers of its training data.
struct OutlineHandle {
  std::shared_ptr<const ModelOutline> outline;
};

inline constexpr char kDataName[] = "crossfold.Dataset";
inline constexpr char kSpecName[] = "crossfold.Spec";
inline constexpr char kPipelineName[] = "crossfold.Learner";
inline constexpr char kSplitsName[] = "crossfold.Splits";
inline constexpr char kPredictionName[] = "crossfold.Prediction";
inline constexpr char kOutcomesName[] = "crossfold.Outcomes";
inline constexpr char kModelName[] = "crossfold.Model";
inline constexpr char kOutlineName[] = "crossfold.Outline";

inline DataHandle& CheckData(lua_State* L, int arg) {
  return CheckOwned<DataHandle>(L, arg, kDataName);
}
inline SpecHandle& CheckSpec(lua_State* L, int arg) {
  return CheckOwned<SpecHandle>(L, arg, kSpecName);
}
inline PipelineHandle& CheckPipeline(lua_State* L, int arg) {
  return CheckOwned<PipelineHandle>(L, arg, kPipelineName);
}
inline SplitsHandle& CheckSplits(lua_State* L, int arg) {
  return CheckOwned<SplitsHandle>(L, arg, kSplitsName);
}
// A model that was fitted.
inline ModelHandle& CheckModel(lua_State* L, int arg) {
  ModelHandle& handle = CheckOwned<ModelHandle>(L, arg, kModelName);
  luaL_argcheck(L, handle.model != nullptr, arg, "the fit of this model was planned, not done");
  return handle;
}
// The prediction at `index`, made now if it was not before; null if something else is there.
inline PredictionHandle* ToPrediction(lua_State* L, int index) {
  auto* handle = ToOwned<PredictionHandle>(L, index);
  if (handle != nullptr && handle->prediction == nullptr && handle->make) {
    Try(L, [&] { handle->prediction = handle->make(); });
  }
  return handle;
}
inline PredictionHandle& CheckPrediction(lua_State* L, int arg) {
  CheckOwned<PredictionHandle>(L, arg, kPredictionName);
  return *ToPrediction(L, arg);
}

// In model_binding.cpp, a method of learners: learner:fit(data, {seed =, start =}).
int FitLearner(lua_State* L);
// In openml_binding.cpp, a method of splits: splits:to_openml(path or true).
int WriteOpenml(lua_State* L);

// The view at `arg`; raises if its target is hidden.
const DataView& CheckTrainingData(lua_State* L, int arg);

// In prediction_binding.cpp: the dataset that the rows of `p` come from, for counting, scoring and
// curves; raises if its target is hidden, there is none, or its classes are others than those of
// the labels.
const Dataset& CheckComparable(lua_State* L, const PredictionHandle& p);

// In conformal_binding.cpp, methods of predictions: intervals(), sets() and guarantee().
int PredictionIntervals(lua_State* L);
int PredictionSets(lua_State* L);
int PredictionGuarantee(lua_State* L);

// Each registers the types of one file and adds its functions to the table on top of the stack.
void OpenAdjustments(lua_State* L);
void OpenAudits(lua_State* L);
void OpenCatalogs(lua_State* L);
void OpenChecks(lua_State* L);
void OpenChoices(lua_State* L);
void OpenColumns(lua_State* L);
void OpenComparisons(lua_State* L);
void OpenConformal(lua_State* L);
void OpenCurves(lua_State* L);
void OpenData(lua_State* L);
void OpenDatasetMakers(lua_State* L);
void OpenDescriptions(lua_State* L);
void OpenEnsembles(lua_State* L);
void OpenMemberPredictions(lua_State* L);
void OpenJson(lua_State* L);
void OpenLearningCurves(lua_State* L);
void OpenLockboxes(lua_State* L);
void OpenModels(lua_State* L);
void OpenOpenml(lua_State* L);
void OpenOutcomes(lua_State* L);
void OpenParams(lua_State* L);
void OpenPlugins(lua_State* L);
void OpenPredictions(lua_State* L);
void OpenRuns(lua_State* L);
void OpenSearches(lua_State* L);
void OpenSpecs(lua_State* L);
void OpenSplits(lua_State* L);
void OpenStatsBiasVariance(lua_State* L);
void OpenStatsBootstrap(lua_State* L);
void OpenStatsPaired(lua_State* L);
void OpenStatsPower(lua_State* L);
void OpenStatsRanks(lua_State* L);
void OpenStatsSequence(lua_State* L);
void OpenStatsVariance(lua_State* L);
void OpenStoredCells(lua_State* L);
void OpenStoredRuns(lua_State* L);
void OpenStores(lua_State* L);
void OpenSubgroups(lua_State* L);
void OpenTables(lua_State* L);
void OpenTransforms(lua_State* L);

}  // namespace crossfold::lua
