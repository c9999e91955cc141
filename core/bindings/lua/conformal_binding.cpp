// Intervals and class sets from out-of-fold predictions.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings/lua/native.h"
#include "crossfold/conformal.h"

namespace crossfold::lua {
namespace {

// native.conformal_scores(prediction [, seed]): how wrong it is in each of its rows.
int ConformalScores(lua_State* L) {
  const PredictionHandle& p = CheckPrediction(L, 1);
  int at = 2;
  const auto seed = Argument<std::optional<std::uint64_t>>::Read(L, at);
  const Dataset& data = CheckComparable(L, p);
  return RunAndPush(L, [&] {
    return data.task() == Task::kRegression ? ResidualScores(data, *p.prediction)
                                            : ClassScores(data, *p.prediction, seed);
  });
}

struct OutOfFold {
  OutOfFoldScores known;
  std::vector<Prediction> predictions;  // of the model of each fold
};

// { scores =, folds = from 1, weights =, units = } at `known` and the list of predictions at
// `list`.
OutOfFold& ReadOutOfFold(lua_State* L, int known, int list) {
  auto* holder = NewOwned<std::unique_ptr<OutOfFold>>(L);
  Try(L, [&] { *holder = std::make_unique<OutOfFold>(); });
  OutOfFold& made = **holder;
  ReadNumbersField(L, known, "scores", "scores", made.known.scores);
  ReadNumbersField(L, known, "weights", "weights", made.known.weights);
  lua_getfield(L, known, "folds");
  ReadIntegers(L, -1, "folds", made.known.folds);
  made.known.units = NumberField(L, known, "units");
  const auto parts = Argument<Handles<PredictionHandle>>::Read(L, list);
  Try(L, [&] {
    for (const PredictionHandle& part : *parts) made.predictions.push_back(*part.prediction);
  });
  for (std::int64_t& fold : made.known.folds) {
    --fold;
    luaL_argcheck(L, fold >= 0 && fold < std::ssize(*parts), known, "a fold has no model");
  }
  luaL_argcheck(L, made.known.folds.size() == made.known.scores.size(), known,
                "every score has a fold");
  return made;
}

// The prediction at argument 1 with the regions that `make` gives and the text at argument 5.
template <class Make>
int PushWithRegions(lua_State* L, Make make) {
  const PredictionHandle& whole = CheckPrediction(L, 1);
  const std::string_view text = CheckText(L, 5);
  return RunAndPush(L, [&] {
    PredictionHandle handle = whole;
    auto regions = std::make_shared<PredictionRegions>(make(*whole.prediction));
    regions->guarantee = text;
    handle.regions = std::move(regions);
    return handle;
  });
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
  int at = 6;
  const auto seed = Argument<std::optional<std::uint64_t>>::Read(L, at);
  const OutOfFold& from = ReadOutOfFold(L, 2, 3);
  return PushWithRegions(L, [&](const Prediction& whole) {
    return ConformalSets(from.known, from.predictions, whole, coverage, seed);
  });
}

void PushIntervals(lua_State* L, const PredictionRegions& regions) {
  lua_createtable(L, static_cast<int>(regions.low.size()), 0);
  for (std::size_t i = 0; i < regions.low.size(); ++i) {
    PushTable(L, Field("low", regions.low[i]), Field("high", regions.high[i]));
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
}

void PushSets(lua_State* L, const PredictionHandle& p) {
  const auto names = p.class_names();
  std::size_t at = 0;  // in the flags, rows by classes
  PushList(L, p.prediction->rows, [&](std::int64_t /*row*/) {
    lua_newtable(L);
    lua_Integer size = 0;
    for (const std::string& name : names) {
      if (p.regions->in_set[at++] == 0) continue;
      PushText(L, name);
      lua_rawseti(L, -2, ++size);
    }
  });
}

// native.prediction_regions(prediction): { coverage =, guarantee =, low = and high =, or sets = },
// or nil.
int Regions(lua_State* L) {
  const PredictionHandle& p = CheckPrediction(L, 1);
  if (p.regions == nullptr) return 0;
  PushTable(L, Field("coverage", p.regions->coverage), Field("guarantee", p.regions->guarantee));
  if (p.task() == Task::kClassification) {
    PushSets(L, p);
    lua_setfield(L, -2, "sets");
  } else {
    SetFields(L, Field("low", p.regions->low), Field("high", p.regions->high));
  }
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
  AddFunctions(L, {{"conformal_scores", ConformalScores},
                   {"conformal_intervals", ConformalIntervalsOf},
                   {"conformal_sets", ConformalSetsOf},
                   {"prediction_regions", Regions}});
}

}  // namespace crossfold::lua
