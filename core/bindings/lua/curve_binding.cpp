// Curves over the thresholds of a score, and the best threshold: core/include/crossfold/*_curve.h
// as lists of rows. Only values that would break something are checked here; names of options are
// checked in Lua.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/lua/arguments.h"
#include "bindings/lua/box.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "bindings/lua/session.h"
#include "crossfold/best_threshold.h"
#include "crossfold/curve_table.h"
#include "crossfold/roc_curve.h"
#include "crossfold/scored_rows.h"

namespace crossfold::lua {
namespace {

// Scored rows as scripts give them: a prediction, or lists.
struct ScoredSource {
  OwnedScoredRows rows;
  std::string positive;  // the name of the positive class; "" for lists
};

void ReadLists(lua_State* L, int index, OwnedScoredRows& rows) {
  lua_getfield(L, index, "scores");
  ReadNumbers(L, -1, "option 'scores'", rows.scores);
  lua_pop(L, 1);
  if (lua_getfield(L, index, "positive") != LUA_TTABLE) {
    Raise(L, "cannot read scored rows: 'positive' is not a list of booleans");
  }
  const lua_Integer n = luaL_len(L, -1);
  for (lua_Integer i = 1; i <= n; ++i) {
    lua_geti(L, -1, i);
    const bool positive = lua_toboolean(L, -1) != 0;
    Try(L, [&] { rows.positive.push_back(positive ? 1 : 0); });
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  ReadNumbersField(L, index, "weights", "option 'weights'", rows.weights);
  if (lua_getfield(L, index, "groups") != LUA_TNIL) {
    ReadIntegers(L, -1, "option 'groups'", rows.groups);
  }
  lua_pop(L, 1);
}

// Pushes the source at `index`: a prediction, of which field `positive` of the table at `options`
// names the class (default: that of the data, else the second of two), or {scores = {...}, positive
// = {booleans}, weights = {...}}. Raises for other values. `takes_scores`: see OneAgainstRest.
const ScoredSource& ReadScoredSource(lua_State* L, int index, int options, bool takes_scores) {
  index = lua_absindex(L, index);
  options = lua_absindex(L, options);
  auto* source = NewOwned<ScoredSource>(L);
  if (const auto* handle = ToPrediction(L, index)) {
    ReadStringField(L, options, "positive", source->positive);
    if (handle->task() != Task::kClassification) {
      Raise(L, "cannot draw a curve: the target is not categorical");
    }
    const Dataset& data = CheckComparable(L, *handle);
    Try(L, [&] {
      const std::int64_t positive = FindPositiveClass(source->positive, data);
      source->positive = data.class_names()[static_cast<std::size_t>(positive)];
      source->rows = OneAgainstRest(data, *handle->prediction, positive, takes_scores);
    });
  } else if (lua_istable(L, index)) {
    ReadLists(L, index, source->rows);
  } else {
    Raise(L, lua_pushfstring(L, "cannot draw a curve of a %s; give a prediction or lists",
                             luaL_typename(L, index)));
  }
  return *source;
}

// The options of both kinds of tables.
struct GivenCurveOptions {
  CurveOptions curve;
  RocAverageOptions average;
};

int SmallIntegerField(lua_State* L, int index, const char* name, int otherwise) {
  const std::int64_t number = IntegerField(L, index, name, otherwise);
  // All have limits far inside these, which the curves check.
  return static_cast<int>(std::clamp<std::int64_t>(number, -(1 << 30), 1 << 30));
}

// costs = {{tn, fp}, {fn, tp}}. Whether there are any.
bool ReadThresholdCosts(lua_State* L, int index, ThresholdChoice& choice) {
  static constexpr char kShape[] =
      "option 'costs' must be {{tn, fp}, {fn, tp}}: the costs of negative rows, then of positive "
      "ones, each called negative and called positive";
  if (lua_getfield(L, index, "costs") == LUA_TNIL) {
    lua_pop(L, 1);
    return false;
  }
  if (!lua_istable(L, -1) || luaL_len(L, -1) != 2) Raise(L, kShape);
  for (int truth = 0; truth < 2; ++truth) {
    if (lua_geti(L, -1, truth + 1) != LUA_TTABLE || luaL_len(L, -1) != 2) Raise(L, kShape);
    for (int called = 0; called < 2; ++called) {
      if (lua_geti(L, -1, called + 1) != LUA_TNUMBER) Raise(L, kShape);
      choice.costs[static_cast<std::size_t>(truth)][static_cast<std::size_t>(called)] =
          lua_tonumber(L, -1);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return true;
}

// Field `name`, which is one of `names`, as its index; absent = the first.
int NameField(lua_State* L, int index, const char* name, const char* const names[]) {
  lua_getfield(L, index, name);
  const char* given = luaL_optstring(L, -1, names[0]);
  int found = -1;
  for (int i = 0; names[i] != nullptr; ++i) {
    if (std::string_view(names[i]) == given) found = i;
  }
  if (found < 0) {
    luaL_Buffer known;
    luaL_buffinit(L, &known);
    for (int i = 0; names[i] != nullptr; ++i) {
      if (i > 0) luaL_addstring(&known, ", ");
      luaL_addstring(&known, names[i]);
    }
    luaL_pushresult(&known);
    Raise(L, lua_pushfstring(L, "%s = '%s' is not one of %s", name, given, lua_tostring(L, -1)));
  }
  lua_pop(L, 1);
  return found;
}

// Field `name` as the index of its word; nullopt = it is absent.
std::optional<int> OptionalName(lua_State* L, int index, const char* name,
                                const char* const names[]) {
  const bool given = lua_getfield(L, index, name) != LUA_TNIL;
  lua_pop(L, 1);
  if (!given) return std::nullopt;
  return NameField(L, index, name, names);
}

void ReadReliabilityOptions(lua_State* L, int index, ReliabilityOptions& options) {
  const auto band = OptionalName(L, index, "band", kReliabilityBandNames);
  if (band) options.band = static_cast<ReliabilityBand>(*band);
  options.score =
      static_cast<ReliabilityScore>(NameField(L, index, "score", kReliabilityScoreNames));
  options.confidence = NumberField(L, index, "confidence", options.confidence);
  options.samples = SmallIntegerField(L, index, "samples", options.samples);
  options.cancel = GetSession(L).cancel();
}

void ReadDecisionOptions(lua_State* L, int index, DecisionCurveOptions& options) {
  ReadNumbersField(L, index, "thresholds", "option 'thresholds'", options.thresholds);
  if (lua_getfield(L, index, "prevalence") != LUA_TNIL) {
    options.prevalence = luaL_checknumber(L, -1);
  }
  lua_pop(L, 1);
  options.confidence = NumberField(L, index, "confidence", options.confidence);
  options.samples = SmallIntegerField(L, index, "samples", options.samples);
  options.cancel = GetSession(L).cancel();
}

// Pushes the options of the table at `index`.
GivenCurveOptions& ReadCurveOptions(lua_State* L, int index) {
  luaL_checktype(L, index, LUA_TTABLE);
  auto* options = NewOwned<GivenCurveOptions>(L);
  options->curve.points = static_cast<RocPoints>(NameField(L, index, "points", kRocPointsNames));
  CalibrationOptions& calibration = options->curve.calibration;
  calibration.binning = static_cast<Binning>(NameField(L, index, "binning", kBinningNames));
  calibration.bins = SmallIntegerField(L, index, "bins", calibration.bins);
  calibration.confidence = NumberField(L, index, "confidence", .95);
  RocAverageOptions& average = options->average;
  average.interval =
      static_cast<AverageInterval>(NameField(L, index, "interval", kAverageIntervalNames));
  average.points = SmallIntegerField(L, index, "grid", average.points);
  average.confidence = calibration.confidence;
  average.samples = SmallIntegerField(L, index, "samples", average.samples);
  average.seed = static_cast<std::uint64_t>(IntegerField(L, index, "seed", 0));
  ReadReliabilityOptions(L, index, options->curve.reliability);
  ReadDecisionOptions(L, index, options->curve.decision);
  options->curve.reliability.seed = options->curve.decision.seed = average.seed;
  ThresholdChoice choice;
  if (ReadThresholdCosts(L, index, choice)) options->curve.costs = choice.costs;
  return *options;
}

bool IsCount(const char* column) {
  static constexpr const char* kCounts[] = {"tp", "fp", "tn", "fn", "rows", "weight"};
  return std::any_of(std::begin(kCounts), std::end(kCounts),
                     [&](const char* name) { return std::string_view(name) == column; });
}

// Counts of unweighted rows are printed as whole numbers.
void SetCell(lua_State* L, const char* column, double number) {
  if (IsCount(column) && number == std::floor(number) && number < 0x1p53) {
    lua_pushinteger(L, static_cast<lua_Integer>(number));
    lua_setfield(L, -2, column);
    return;
  }
  SetField(L, column, number);
}

// Pushes {columns = {...}, rows = {{...}, ...}, figures = {...}, undefined = reason or nil}.
void PushCurveRows(lua_State* L, const CurveTable& rows) {
  const std::size_t width = rows.columns.size();
  lua_createtable(L, 0, 5);
  SetList(L, "columns", rows.columns, [L](const char* column) { lua_pushstring(L, column); });
  lua_createtable(L, static_cast<int>(rows.cells.size() / width), 0);
  for (std::size_t i = 0; i * width < rows.cells.size(); ++i) {
    lua_createtable(L, 0, static_cast<int>(width));
    for (std::size_t c = 0; c < width; ++c) {
      SetCell(L, rows.columns[c], rows.cells[i * width + c]);
    }
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
  lua_setfield(L, -2, "rows");
  lua_newtable(L);
  for (const auto& [name, value] : rows.figures) SetField(L, name, value);
  lua_setfield(L, -2, "figures");
  Reason(rows.undefined).Set(L);
}

// Whether a curve of this kind only uses the order of the rows.
bool OnlyRanks(CurveKind kind) {
  return kind == CurveKind::kRoc || kind == CurveKind::kPrecisionRecall ||
         kind == CurveKind::kDet || kind == CurveKind::kLift || kind == CurveKind::kCost;
}

// native.curve(kind, source, options): see PushCurveRows; also `positive`, the name of the class,
// for a prediction. Sources: ReadScoredSource.
int Curve(lua_State* L) {
  const auto kind = static_cast<CurveKind>(luaL_checkoption(L, 1, nullptr, kCurveKindNames));
  const GivenCurveOptions& options = ReadCurveOptions(L, 3);
  const ScoredSource& source = ReadScoredSource(L, 2, 3, OnlyRanks(kind));
  auto* rows = NewOwned<CurveTable>(L);
  Try(L, [&] { *rows = TabulateCurve(kind, source.rows.view(), options.curve); });
  PushCurveRows(L, *rows);
  SetField(L, "positive", NotEmpty(source.positive));
  return 1;
}

// native.average_roc({sources}, options): the vertical average over the curves that are defined;
// see PushCurveRows.
int AverageRoc(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  const GivenCurveOptions& options = ReadCurveOptions(L, 2);
  auto* curves = NewOwned<std::vector<RocCurve>>(L);
  auto* rows = NewOwned<CurveTable>(L);
  const lua_Integer n = luaL_len(L, 1);
  for (lua_Integer i = 1; i <= n; ++i) {
    lua_geti(L, 1, i);
    const ScoredSource& source = ReadScoredSource(L, -1, 2, true);
    Try(L, [&] { curves->push_back(DrawRocCurve(source.rows.view())); });
    lua_pop(L, 2);
  }
  Try(L, [&] { *rows = TabulateRocAverage(*curves, options.average); });
  PushCurveRows(L, *rows);
  return 1;
}

// native.best_threshold(source, {positive =, goal =, beta =, costs =}): {threshold =, value =, tp
// =, fp =, tn =, fn =, positive =} or {undefined = reason}. Rows with score >= threshold are
// positive.
int BestThresholdOf(lua_State* L) {
  static const char* const kGoals[] = {"accuracy", "f_beta", "youden", "balanced_accuracy",
                                       "mcc",      "cost",   nullptr};
  luaL_checktype(L, 2, LUA_TTABLE);
  ThresholdChoice choice;
  choice.goal = static_cast<ThresholdGoal>(NameField(L, 2, "goal", kGoals));
  choice.beta = NumberField(L, 2, "beta", 1);
  const bool has_costs = ReadThresholdCosts(L, 2, choice);
  if (choice.goal == ThresholdGoal::kCost && !has_costs) {
    Raise(L, "goal = 'cost' needs costs = {{tn, fp}, {fn, tp}}");
  }
  const ScoredSource& source = ReadScoredSource(L, 1, 2, false);
  auto* best = NewOwned<BestThreshold>(L);
  Try(L, [&] { *best = FindBestThreshold(source.rows.view(), choice); });
  PushTable(L, Field("positive", NotEmpty(source.positive)));
  if (!best->defined) {
    SetField(L, "undefined", best->undefined);
    return 1;
  }
  SetFields(L, Field("threshold", best->counts.threshold), Field("value", best->value));
  SetCell(L, "tp", best->counts.tp);
  SetCell(L, "fp", best->counts.fp);
  SetCell(L, "tn", best->counts.tn);
  SetCell(L, "fn", best->counts.fn);
  return 1;
}

}  // namespace

void OpenCurves(lua_State* L) {
  AddFunctions(
      L, {{"curve", Curve}, {"average_roc", AverageRoc}, {"best_threshold", BestThresholdOf}});
}

}  // namespace crossfold::lua
