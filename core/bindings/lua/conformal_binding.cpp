// Intervals and class sets from out-of-fold predictions.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings/lua/arguments.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "crossfold/conformal.h"

namespace crossfold::lua {
namespace {

std::optional<std::uint64_t> OptionalSeed(lua_State* L, int arg) {
  if (lua_isnoneornil(L, arg)) return std::nullopt;
  return static_cast<std::uint64_t>(luaL_checkinteger(L, arg));
}

// native.conformal_scores(prediction [, seed]): how wrong it is in each of its rows.
int ConformalScores(lua_State* L) {
  const PredictionHandle& p = CheckPrediction(L, 1);
  const auto seed = OptionalSeed(L, 2);
  const Dataset& data = CheckComparable(L, p);
  auto* scores = NewOwned<std::vector<double>>(L);
  Try(L, [&] {
    *scores = data.task() == Task::kRegression ? ResidualScores(data, *p.prediction)
                                               : ClassScores(data, *p.prediction, seed);
  });
  PushNumbers(L, *scores);
  return 1;
}

struct OutOfFold {
  OutOfFoldScores known;
  std::vector<Prediction> predictions;  // of the model of each fold
};

void ReadNumbersField(lua_State* L, int table, const char* name, std::vector<double>& out) {
  if (lua_getfield(L, table, name) != LUA_TNIL) ReadNumbers(L, -1, name, out);
  lua_pop(L, 1);
}

// { scores =, folds = from 1, weights =, units = } at `known` and the list of predictions at
// `list`.
OutOfFold& ReadOutOfFold(lua_State* L, int known, int list) {
  auto* holder = NewOwned<std::unique_ptr<OutOfFold>>(L);
  Try(L, [&] { *holder = std::make_unique<OutOfFold>(); });
  OutOfFold& made = **holder;
  ReadNumbersField(L, known, "scores", made.known.scores);
  ReadNumbersField(L, known, "weights", made.known.weights);
  lua_getfield(L, known, "folds");
  ReadIntegers(L, -1, "folds", made.known.folds);
  lua_getfield(L, known, "units");
  made.known.units = luaL_checknumber(L, -1);
  lua_pop(L, 2);
  const lua_Integer n = luaL_len(L, list);
  for (lua_Integer k = 1; k <= n; ++k) {
    lua_geti(L, list, k);
    const PredictionHandle& p = CheckPrediction(L, lua_gettop(L));
    Try(L, [&] { made.predictions.push_back(*p.prediction); });
    lua_pop(L, 1);
  }
  for (std::int64_t& fold : made.known.folds) {
    --fold;
    luaL_argcheck(L, fold >= 0 && fold < n, known, "a fold has no model");
  }
  luaL_argcheck(L, made.known.folds.size() == made.known.scores.size(), known,
                "every score has a fold");
  return made;
}

// The prediction at argument 1 with the regions that `make` gives and the text at argument 5.
template <class Make>
int PushWithRegions(lua_State* L, Make make) {
  const PredictionHandle& whole = CheckPrediction(L, 1);
  std::size_t size = 0;
  const char* text = luaL_checklstring(L, 5, &size);
  auto* handle = NewOwned<PredictionHandle>(L);
  Try(L, [&] {
    *handle = whole;
    auto regions = std::make_shared<PredictionRegions>(make(*whole.prediction));
    regions->guarantee.assign(text, size);
    handle->regions = std::move(regions);
  });
  return 1;
}

// native.conformal_intervals(prediction, calibration, predictions, coverage, guarantee, "plus" or
// "minmax")
int ConformalIntervalsOf(lua_State* L) {
  static const char* const kMethods[] = {"plus", "minmax", nullptr};
  const double coverage = luaL_checknumber(L, 4);
  const auto method = static_cast<IntervalMethod>(luaL_checkoption(L, 6, nullptr, kMethods));
  const OutOfFold& from = ReadOutOfFold(L, 2, 3);
  return PushWithRegions(L, [&](const Prediction&) {
    return ConformalIntervals(from.known, from.predictions, coverage, method);
  });
}

// native.conformal_sets(prediction, calibration, predictions, coverage, guarantee [, seed])
int ConformalSetsOf(lua_State* L) {
  const double coverage = luaL_checknumber(L, 4);
  const auto seed = OptionalSeed(L, 6);
  const OutOfFold& from = ReadOutOfFold(L, 2, 3);
  return PushWithRegions(L, [&](const Prediction& whole) {
    return ConformalSets(from.known, from.predictions, whole, coverage, seed);
  });
}

void PushIntervals(lua_State* L, const PredictionRegions& regions) {
  lua_createtable(L, static_cast<int>(regions.low.size()), 0);
  for (std::size_t i = 0; i < regions.low.size(); ++i) {
    lua_createtable(L, 0, 2);
    SetNumber(L, "low", regions.low[i]);
    SetNumber(L, "high", regions.high[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
}

void PushSets(lua_State* L, const PredictionHandle& p) {
  const auto names = p.class_names();
  const std::size_t n = p.prediction->rows.size();
  lua_createtable(L, static_cast<int>(n), 0);
  for (std::size_t i = 0; i < n; ++i) {
    lua_newtable(L);
    lua_Integer size = 0;
    for (std::size_t c = 0; c < names.size(); ++c) {
      if (p.regions->in_set[i * names.size() + c] == 0) continue;
      PushText(L, names[c]);
      lua_rawseti(L, -2, ++size);
    }
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
}

// native.prediction_regions(prediction): { coverage =, guarantee =, low = and high =, or sets = },
// or nil.
int Regions(lua_State* L) {
  const PredictionHandle& p = CheckPrediction(L, 1);
  if (p.regions == nullptr) return 0;
  lua_createtable(L, 0, 4);
  SetNumber(L, "coverage", p.regions->coverage);
  SetText(L, "guarantee", p.regions->guarantee);
  if (p.task() == Task::kClassification) {
    PushSets(L, p);
    lua_setfield(L, -2, "sets");
    return 1;
  }
  PushNumbers(L, p.regions->low);
  lua_setfield(L, -2, "low");
  PushNumbers(L, p.regions->high);
  lua_setfield(L, -2, "high");
  return 1;
}

}  // namespace

// prediction:intervals(): { low =, high = } of each row; nil if there are none.
int PredictionIntervals(lua_State* L) {
  const PredictionHandle& p = CheckPrediction(L, 1);
  if (p.regions == nullptr || p.task() != Task::kRegression) return 0;
  PushIntervals(L, *p.regions);
  return 1;
}

// prediction:sets(): a list of classes, in class order, of each row; nil if there are none.
int PredictionSets(lua_State* L) {
  const PredictionHandle& p = CheckPrediction(L, 1);
  if (p.regions == nullptr || p.task() != Task::kClassification) return 0;
  PushSets(L, p);
  return 1;
}

// prediction:guarantee(): what holds for its intervals or sets, as sentences; nil without them.
int PredictionGuarantee(lua_State* L) {
  const PredictionHandle& p = CheckPrediction(L, 1);
  if (p.regions == nullptr) return 0;
  PushText(L, p.regions->guarantee);
  return 1;
}

void OpenConformal(lua_State* L) {
  static constexpr luaL_Reg kFunctions[] = {{"conformal_scores", ConformalScores},
                                            {"conformal_intervals", ConformalIntervalsOf},
                                            {"conformal_sets", ConformalSetsOf},
                                            {"prediction_regions", Regions},
                                            {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
