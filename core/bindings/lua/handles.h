// The objects that scripts hold: small boxes around shared, immutable C++ values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <lua.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
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
  static constexpr char kName[] = "crossfold.Dataset";
  DataView view;
  bool target_hidden = false;
};

struct SpecHandle {
  static constexpr char kName[] = "crossfold.Spec";
  std::shared_ptr<const Spec> spec;
};

// A learner is always a pipeline, most often of one step.
struct PipelineHandle {
  static constexpr char kName[] = "crossfold.Learner";
  std::shared_ptr<const Pipeline> pipeline;
};

struct SplitsHandle {
  static constexpr char kName[] = "crossfold.Splits";
  std::shared_ptr<const SplitPlan> plan;
};

struct PredictionHandle {
  static constexpr char kName[] = "crossfold.Prediction";
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
  static constexpr char kName[] = "crossfold.Outcomes";
  std::shared_ptr<OutcomeTable> outcomes;
  std::size_t first = 0, count = 0;
};

struct ModelHandle {
  static constexpr char kName[] = "crossfold.Model";
  std::shared_ptr<const FittedModel> model;
  std::shared_ptr<const Dataset> planned;  // instead: what it would be trained on (planning.h)
};

// Numbers that stay in C++ while Lua passes them on: what native.member_answers gives and
// native.with_features takes, one number per row.
struct NumberArray {
  std::vector<double> numbers;
};

// What a model of an ensemble, which is a table, remembers of its training data.
struct OutlineHandle {
  static constexpr char kName[] = "crossfold.Outline";
  std::shared_ptr<const ModelOutline> outline;
};

inline DataHandle& CheckData(lua_State* L, int arg) { return CheckOwned<DataHandle>(L, arg); }
inline SpecHandle& CheckSpec(lua_State* L, int arg) { return CheckOwned<SpecHandle>(L, arg); }
inline PipelineHandle& CheckPipeline(lua_State* L, int arg) {
  return CheckOwned<PipelineHandle>(L, arg);
}
inline SplitsHandle& CheckSplits(lua_State* L, int arg) { return CheckOwned<SplitsHandle>(L, arg); }
// A model that was fitted.
inline ModelHandle& CheckModel(lua_State* L, int arg) {
  ModelHandle& handle = CheckOwned<ModelHandle>(L, arg);
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
  CheckOwned<PredictionHandle>(L, arg);
  return *ToPrediction(L, arg);
}

// In model_binding.cpp, a method of learners: learner:fit(data, {seed =, start =}).
int FitLearner(lua_State* L);

// Pushes a list of what `push` pushes for the id of each row of the view.
template <class Push>
int PushForRows(lua_State* L, const DataView& view, Push push) {
  const std::int64_t n = view.num_rows();
  lua_createtable(L, static_cast<int>(n), 0);
  for (std::int64_t i = 0; i < n; ++i) {
    push(view.row_id(i));
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

// In data_binding.cpp: the target of a row, by its id. REQUIRES: the data has one.
void PushTarget(lua_State* L, const Dataset& data, std::int64_t row);

// In model_binding.cpp.
void PushFeatureNames(lua_State* L, std::span<const ColumnDeclaration> features);

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

// The places of the classes of a dataset, by name.
using ClassPlaces = std::unordered_map<std::string_view, std::int32_t>;

// Valid as long as the dataset.
inline ClassPlaces PlacesOfClasses(const Dataset& data) {
  ClassPlaces places;
  for (const std::string& name : data.class_names()) {
    places.emplace(name, static_cast<std::int32_t>(places.size()));
  }
  return places;
}

// Each registers the types of one file and adds its functions to the table on top of the stack.
using OpenPart = void(lua_State* L);
OpenPart OpenAdjustments, OpenAudits, OpenCatalogs, OpenChecks, OpenChoices, OpenComparisons,
    OpenConformal, OpenCurves, OpenData, OpenDatasetMakers, OpenDescriptions, OpenEnsembles,
    OpenMemberPredictions, OpenJson, OpenLearningCurves, OpenLockboxes, OpenModels, OpenOutcomes,
    OpenParams, OpenPlanning, OpenPlugins, OpenPredictions, OpenRuns, OpenSearches, OpenSpecs,
    OpenSplits, OpenStatsBiasVariance, OpenStatsBootstrap, OpenStatsPaired, OpenStatsPower,
    OpenStatsRanks, OpenStatsSequence, OpenStoredCells, OpenStoredRuns, OpenStores, OpenSubgroups,
    OpenTables, OpenTimeLimits, OpenTransforms;

}  // namespace crossfold::lua
