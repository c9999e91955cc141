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
#include "bindings/lua/scored_source.h"
#include "bindings/lua/session.h"
#include "crossfold/best_threshold.h"
#include "crossfold/curve_table.h"
#include "crossfold/roc_curve.h"

namespace crossfold::lua {
namespace {

// The options of both kinds of tables.
struct GivenCurveOptions {
  CurveOptions curve;
  RocAverageOptions average;
};

// Field `name` of the table at `index` as a number, or `otherwise`.
double OptionalNumber(lua_State* L, int index, const char* name, double otherwise) {
  lua_getfield(L, index, name);
  const double number = luaL_optnumber(L, -1, otherwise);
  lua_pop(L, 1);
  return number;
}

int OptionalInteger(lua_State* L, int index, const char* name, int otherwise) {
  lua_getfield(L, index, name);
  const lua_Integer number = luaL_optinteger(L, -1, otherwise);
  lua_pop(L, 1);
  // All have limits far inside these, which the curves check.
  return static_cast<int>(std::clamp<lua_Integer>(number, -(1 << 30), 1 << 30));
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
  options.confidence = OptionalNumber(L, index, "confidence", options.confidence);
  options.samples = OptionalInteger(L, index, "samples", options.samples);
  options.cancel = GetSession(L).cancel();
}

void ReadDecisionOptions(lua_State* L, int index, DecisionCurveOptions& options) {
  if (lua_getfield(L, index, "thresholds") != LUA_TNIL) {
    ReadNumbers(L, -1, "option 'thresholds'", options.thresholds);
  }
  lua_pop(L, 1);
  if (lua_getfield(L, index, "prevalence") != LUA_TNIL) {
    options.prevalence = luaL_checknumber(L, -1);
  }
  lua_pop(L, 1);
  options.confidence = OptionalNumber(L, index, "confidence", options.confidence);
  options.samples = OptionalInteger(L, index, "samples", options.samples);
  options.cancel = GetSession(L).cancel();
}

// Pushes the options of the table at `index`.
GivenCurveOptions& ReadCurveOptions(lua_State* L, int index) {
  luaL_checktype(L, index, LUA_TTABLE);
  auto* options = NewOwned<GivenCurveOptions>(L);
  options->curve.points = static_cast<RocPoints>(NameField(L, index, "points", kRocPointsNames));
  CalibrationOptions& calibration = options->curve.calibration;
  calibration.binning = static_cast<Binning>(NameField(L, index, "binning", kBinningNames));
  calibration.bins = OptionalInteger(L, index, "bins", calibration.bins);
  calibration.confidence = OptionalNumber(L, index, "confidence", .95);
  RocAverageOptions& average = options->average;
  average.interval =
      static_cast<AverageInterval>(NameField(L, index, "interval", kAverageIntervalNames));
  average.points = OptionalInteger(L, index, "grid", average.points);
  average.confidence = calibration.confidence;
  average.samples = OptionalInteger(L, index, "samples", average.samples);
  lua_getfield(L, index, "seed");
  average.seed = static_cast<std::uint64_t>(luaL_optinteger(L, -1, 0));
  lua_pop(L, 1);
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
  SetNumber(L, column, number);
}

// Pushes {columns = {...}, rows = {{...}, ...}, figures = {...}, undefined = reason or nil}.
void PushCurveRows(lua_State* L, const CurveTable& rows) {
  const std::size_t width = rows.columns.size();
  lua_createtable(L, 0, 5);
  lua_createtable(L, static_cast<int>(width), 0);
  for (std::size_t c = 0; c < width; ++c) {
    lua_pushstring(L, rows.columns[c]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(c + 1));
  }
  lua_setfield(L, -2, "columns");
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
  for (const auto& [name, value] : rows.figures) SetNumber(L, name, value);
  lua_setfield(L, -2, "figures");
  if (!rows.undefined.empty()) SetText(L, "undefined", rows.undefined);
}

// native.curve(kind, source, options): see PushCurveRows; also `positive`, the name of the class,
// for a prediction. Sources: ReadScoredSource.
int Curve(lua_State* L) {
  const auto kind = static_cast<CurveKind>(luaL_checkoption(L, 1, nullptr, kCurveKindNames));
  const GivenCurveOptions& options = ReadCurveOptions(L, 3);
  const ScoredSource& source = ReadScoredSource(L, 2, 3);
  auto* rows = NewOwned<CurveTable>(L);
  Try(L, [&] { *rows = TabulateCurve(kind, source.rows.view(), options.curve); });
  PushCurveRows(L, *rows);
  if (!source.positive.empty()) SetText(L, "positive", source.positive);
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
    const ScoredSource& source = ReadScoredSource(L, -1, 2);
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
  choice.beta = OptionalNumber(L, 2, "beta", 1);
  const bool has_costs = ReadThresholdCosts(L, 2, choice);
  if (choice.goal == ThresholdGoal::kCost && !has_costs) {
    Raise(L, "goal = 'cost' needs costs = {{tn, fp}, {fn, tp}}");
  }
  const ScoredSource& source = ReadScoredSource(L, 1, 2);
  auto* best = NewOwned<BestThreshold>(L);
  Try(L, [&] { *best = FindBestThreshold(source.rows.view(), choice); });
  lua_createtable(L, 0, 8);
  if (!source.positive.empty()) SetText(L, "positive", source.positive);
  if (!best->defined) {
    SetText(L, "undefined", best->undefined);
    return 1;
  }
  SetNumber(L, "threshold", best->counts.threshold);
  SetNumber(L, "value", best->value);
  SetCell(L, "tp", best->counts.tp);
  SetCell(L, "fp", best->counts.fp);
  SetCell(L, "tn", best->counts.tn);
  SetCell(L, "fn", best->counts.fn);
  return 1;
}

}  // namespace

void OpenCurves(lua_State* L) {
  static constexpr luaL_Reg kFunctions[] = {{"curve", Curve},
                                            {"average_roc", AverageRoc},
                                            {"best_threshold", BestThresholdOf},
                                            {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
