// Adjusting the predictions of a learner: calibration, and decisions by a threshold or by costs.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/lua/native.h"
#include "crossfold/calibration.h"
#include "crossfold/calibration_lists.h"
#include "crossfold/decision.h"
#include "crossfold/score.h"

namespace crossfold::lua {
namespace {

struct CalibrationHandle {
  static constexpr char kName[] = "crossfold.Calibration";
  std::shared_ptr<const Calibration> calibration;
  std::size_t n_classes = 0;
};

// `made` as a prediction of what `like` is one of.
PredictionHandle Adjusted(const PredictionHandle& like, Prediction made) {
  PredictionHandle handle = like;
  handle.prediction = std::make_shared<const Prediction>(std::move(made));
  return handle;
}

// native.gives_probabilities(learner): whether its last step can.
bool GivesProbabilities(const PipelineHandle& learner) {
  const Spec& last = *learner.pipeline->steps().back();
  return last.component().capability<cf_cap_proba>(CF_CAP_PROBA) != nullptr &&
         !HasScoresInstead(last);
}

// native.missing_class(data): the first class without a row, or nil.
std::optional<std::string> MissingClass(const DataView& view) {
  RequireArgument(view.data->task() == Task::kClassification, 1, "classes are expected");
  std::vector<bool> is_there(static_cast<std::size_t>(view.data->num_classes()));
  for (std::int64_t i = 0; i < view.num_rows(); ++i) {
    const auto row = static_cast<std::size_t>(view.row_id(i));
    is_there[static_cast<std::size_t>(view.data->labels()[row])] = true;
  }
  const auto missing = std::ranges::find(is_there, false);
  if (missing == is_there.end()) return std::nullopt;
  return view.data->class_names()[static_cast<std::size_t>(missing - is_there.begin())];
}

// native.fit_calibration(prediction, "platt" or "isotonic"): a calibration, or nil and the reason.
int FitMaps(lua_State* L) {
  static const char* const kMethods[] = {"platt", "isotonic", nullptr};
  const PredictionHandle& p = CheckPrediction(L, 1);
  const auto method = static_cast<CalibrationMethod>(luaL_checkoption(L, 2, nullptr, kMethods));
  const Dataset& data = CheckComparable(L, p);
  auto* handle = NewOwned<CalibrationHandle>(L);
  Try(L, [&] {
    handle->calibration =
        std::make_shared<const Calibration>(FitCalibration(data, *p.prediction, method));
    handle->n_classes = static_cast<std::size_t>(data.num_classes());
  });
  if (handle->calibration->defined) return 1;
  lua_pushnil(L);
  PushText(L, handle->calibration->undefined);
  return 2;
}

// calibration:lists(): { slope =, intercept = } with one entry per map, or { sizes =, x =, y = }.
CalibrationLists Lists(const CalibrationHandle& handle) { return ListsOf(*handle.calibration); }

void PushCalibrationLists(lua_State* L, const CalibrationLists& lists) {
  lua_createtable(L, 0, 3);
  if (lists.sizes.empty()) {
    SetFields(L, Field("slope", lists.slope), Field("intercept", lists.intercept));
  } else {
    SetFields(L, Field("sizes", lists.sizes), Field("x", lists.x), Field("y", lists.y));
  }
}

std::optional<CalibrationHandle> Restored(const CalibrationLists& lists, std::size_t n_classes) {
  const std::optional<Calibration> made = CalibrationOf(lists, n_classes);
  if (!made) return std::nullopt;
  return CalibrationHandle{std::make_shared<const Calibration>(*made), n_classes};
}

// native.calibration(lists, n_classes): the calibration whose lists() these are, or nil if they are
// not for this number of classes.
int Restore(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  const lua_Integer n_classes = luaL_checkinteger(L, 2);
  luaL_argcheck(L, n_classes >= 0, 2, "a number of classes is expected");
  auto* lists = NewOwned<CalibrationLists>(L);
  const std::pair<const char*, std::vector<double>*> numbers[] = {{"slope", &lists->slope},
                                                                  {"intercept", &lists->intercept},
                                                                  {"x", &lists->x},
                                                                  {"y", &lists->y}};
  for (const auto& [name, list] : numbers) {
    if (lua_getfield(L, 1, name) == LUA_TTABLE) ReadNumbers(L, -1, name, *list);
    lua_pop(L, 1);
  }
  if (lua_getfield(L, 1, "sizes") == LUA_TTABLE) ReadIntegers(L, -1, "sizes", lists->sizes);
  lua_pop(L, 1);
  return RunAndPush(L, [&] { return Restored(*lists, static_cast<std::size_t>(n_classes)); });
}

// native.calibrate(prediction, calibration): the prediction with calibrated probabilities.
PredictionHandle CalibrateOne(const PredictionHandle& p, const CalibrationHandle& handle) {
  RequireArgument(static_cast<std::size_t>(p.prediction->n_classes) == handle.n_classes, 2,
                  "the calibration has a different number of classes");
  return Adjusted(p, Calibrate(*p.prediction, *handle.calibration));
}

// native.mean_prediction{prediction, ...}: of the same rows.
PredictionHandle Mean(Handles<PredictionHandle> parts) {
  RequireArgument(!parts->empty(), 1, "there is no prediction to average");
  std::vector<Prediction> all;
  for (const PredictionHandle& part : *parts) all.push_back(*part.prediction);
  return Adjusted(parts->front(), MeanPrediction(all));
}

// native.decide_by_threshold(prediction, class, threshold): the classes count from 1.
PredictionHandle ByThreshold(const PredictionHandle& p, std::int64_t positive, double threshold) {
  return Adjusted(p, DecideByThreshold(*p.prediction, positive - 1, threshold));
}

// native.decide_by_cost(prediction, costs): a flat list, rows by truth.
PredictionHandle ByCost(const PredictionHandle& p, Numbers<"costs"> costs) {
  return Adjusted(p, DecideByCost(*p.prediction, *costs));
}

}  // namespace

void OpenAdjustments(lua_State* L) {
  RegisterType<CalibrationHandle>(L, {{"lists", Native<Lists, PushCalibrationLists>}});
  AddFunctions(L, {{"gives_probabilities", Native<GivesProbabilities>},
                   {"missing_class", Native<MissingClass>},
                   {"fit_calibration", FitMaps},
                   {"calibration", Restore},
                   {"calibrate", Native<CalibrateOne>},
                   {"mean_prediction", Native<Mean>},
                   {"decide_by_threshold", Native<ByThreshold>},
                   {"decide_by_cost", Native<ByCost>}});
}

}  // namespace crossfold::lua
