// Adjusting the predictions of a learner: calibration, and decisions by a threshold or by costs.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/lua/arguments.h"
#include "bindings/lua/box.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "crossfold/calibration.h"
#include "crossfold/calibration_lists.h"
#include "crossfold/decision.h"

namespace crossfold::lua {
namespace {

constexpr char kCalibrationName[] = "crossfold.Calibration";

struct CalibrationHandle {
  std::shared_ptr<const Calibration> calibration;
  std::size_t n_classes = 0;
};

// Pushes `adjusted` as a prediction of what `like` is one of.
template <class Make>
int PushAdjusted(lua_State* L, const PredictionHandle& like, Make make) {
  auto* handle = NewOwned<PredictionHandle>(L);
  Try(L, [&] {
    *handle = like;
    handle->prediction = std::make_shared<const Prediction>(make(*like.prediction));
  });
  return 1;
}

// native.gives_probabilities(learner): whether its last step can.
int GivesProbabilities(lua_State* L) {
  const auto steps = CheckPipeline(L, 1).pipeline->steps();
  lua_pushboolean(L, steps.back()->component().capability<cf_cap_proba>(CF_CAP_PROBA) != nullptr);
  return 1;
}

// native.missing_class(data): the first class without a row, or nil.
int MissingClass(lua_State* L) {
  const DataView& view = CheckTrainingData(L, 1);
  luaL_argcheck(L, view.data->task() == Task::kClassification, 1, "classes are expected");
  auto* counts = NewOwned<std::vector<std::int64_t>>(L);
  Try(L, [&] {
    counts->assign(static_cast<std::size_t>(view.data->num_classes()), 0);
    for (std::int64_t i = 0; i < view.num_rows(); ++i) {
      const auto row = static_cast<std::size_t>(view.row_id(i));
      ++(*counts)[static_cast<std::size_t>(view.data->labels()[row])];
    }
  });
  for (std::size_t c = 0; c < counts->size(); ++c) {
    if ((*counts)[c] > 0) continue;
    PushText(L, view.data->class_names()[c]);
    return 1;
  }
  return 0;
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

CalibrationHandle& CheckCalibration(lua_State* L, int arg) {
  return CheckOwned<CalibrationHandle>(L, arg, kCalibrationName);
}

// calibration:lists(): { slope =, intercept = } with one entry per map, or { sizes =, x =, y = }.
int Lists(lua_State* L) {
  const CalibrationHandle& handle = CheckCalibration(L, 1);
  auto* lists = NewOwned<CalibrationLists>(L);
  Try(L, [&] { *lists = ListsOf(*handle.calibration); });
  lua_createtable(L, 0, 3);
  if (handle.calibration->method == CalibrationMethod::kPlatt) {
    PushNumbers(L, lists->slope);
    lua_setfield(L, -2, "slope");
    PushNumbers(L, lists->intercept);
    lua_setfield(L, -2, "intercept");
    return 1;
  }
  PushIntegers(L, lists->sizes);
  lua_setfield(L, -2, "sizes");
  PushNumbers(L, lists->x);
  lua_setfield(L, -2, "x");
  PushNumbers(L, lists->y);
  lua_setfield(L, -2, "y");
  return 1;
}

// The list in field `name` of the table at 1, if there is one.
void ReadNumberField(lua_State* L, const char* name, std::vector<double>& out) {
  if (lua_getfield(L, 1, name) == LUA_TTABLE) ReadNumbers(L, -1, name, out);
  lua_pop(L, 1);
}

// native.calibration(lists, n_classes): the calibration whose lists() these are, or nil if they are
// not for this number of classes.
int Restore(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  const lua_Integer n_classes = luaL_checkinteger(L, 2);
  luaL_argcheck(L, n_classes >= 0, 2, "a number of classes is expected");
  auto* lists = NewOwned<CalibrationLists>(L);
  ReadNumberField(L, "slope", lists->slope);
  ReadNumberField(L, "intercept", lists->intercept);
  ReadNumberField(L, "x", lists->x);
  ReadNumberField(L, "y", lists->y);
  if (lua_getfield(L, 1, "sizes") == LUA_TTABLE) ReadIntegers(L, -1, "sizes", lists->sizes);
  lua_pop(L, 1);
  auto* handle = NewOwned<CalibrationHandle>(L);
  bool valid = false;
  Try(L, [&] {
    handle->n_classes = static_cast<std::size_t>(n_classes);
    const std::optional<Calibration> made = CalibrationOf(*lists, handle->n_classes);
    valid = made.has_value();
    if (valid) handle->calibration = std::make_shared<const Calibration>(*made);
  });
  return valid ? 1 : 0;
}

// native.calibrate(prediction, calibration): the prediction with calibrated probabilities.
int CalibrateOne(lua_State* L) {
  const PredictionHandle& p = CheckPrediction(L, 1);
  const CalibrationHandle& handle = CheckCalibration(L, 2);
  luaL_argcheck(L, static_cast<std::size_t>(p.prediction->n_classes) == handle.n_classes, 2,
                "the calibration has a different number of classes");
  return PushAdjusted(L, p,
                      [&](const Prediction& all) { return Calibrate(all, *handle.calibration); });
}

// native.mean_prediction{prediction, ...}: of the same rows.
int Mean(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  auto* all = NewOwned<std::vector<Prediction>>(L);
  const lua_Integer n = luaL_len(L, 1);
  luaL_argcheck(L, n > 0, 1, "there is no prediction to average");
  for (lua_Integer i = 1; i <= n; ++i) {
    lua_geti(L, 1, i);
    const PredictionHandle& p = CheckPrediction(L, -1);
    Try(L, [&] { all->push_back(*p.prediction); });
    lua_pop(L, 1);
  }
  lua_geti(L, 1, 1);
  return PushAdjusted(L, CheckPrediction(L, -1),
                      [&](const Prediction&) { return MeanPrediction(*all); });
}

// native.decide_by_threshold(prediction, class, threshold): the classes count from 1.
int ByThreshold(lua_State* L) {
  const PredictionHandle& p = CheckPrediction(L, 1);
  const lua_Integer positive = luaL_checkinteger(L, 2);
  const double threshold = luaL_checknumber(L, 3);
  return PushAdjusted(
      L, p, [&](const Prediction& all) { return DecideByThreshold(all, positive - 1, threshold); });
}

// native.decide_by_cost(prediction, costs): a flat list, rows by truth.
int ByCost(lua_State* L) {
  const PredictionHandle& p = CheckPrediction(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  auto* costs = NewOwned<std::vector<double>>(L);
  ReadNumbers(L, 2, "costs", *costs);
  return PushAdjusted(L, p, [&](const Prediction& all) { return DecideByCost(all, *costs); });
}

}  // namespace

void OpenAdjustments(lua_State* L) {
  static constexpr luaL_Reg kMethods[] = {{"lists", Lists}, {nullptr, nullptr}};
  static constexpr luaL_Reg kMetamethods[] = {{nullptr, nullptr}};
  static constexpr luaL_Reg kFunctions[] = {{"gives_probabilities", GivesProbabilities},
                                            {"missing_class", MissingClass},
                                            {"fit_calibration", FitMaps},
                                            {"calibration", Restore},
                                            {"calibrate", CalibrateOne},
                                            {"mean_prediction", Mean},
                                            {"decide_by_threshold", ByThreshold},
                                            {"decide_by_cost", ByCost},
                                            {nullptr, nullptr}};
  RegisterType<CalibrationHandle>(L, kCalibrationName, kMethods, kMetamethods);
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
