// Learning curves: nested training sets, and the power law.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analysis/stats/distributions.h"
#include "bindings/lua/arguments.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "crossfold/split.h"
#include "crossfold/stats/power_law.h"
#include "engine/plan/nested_rows.h"

namespace crossfold::lua {
namespace {

struct PowerLawHandle {
  std::shared_ptr<const stats::PowerLaw> law;
};

constexpr char kPowerLawName[] = "crossfold.PowerLaw";
constexpr char kNestedRowsName[] = "crossfold.NestedRows";

const stats::PowerLaw& CheckLaw(lua_State* L, int arg) {
  return *CheckOwned<PowerLawHandle>(L, arg, kPowerLawName).law;
}

// native.nested_rows(data, test_count, stratify, seed): the rows of one trial.
int NestedRowsOf(lua_State* L) {
  const DataView& view = CheckTrainingData(L, 1);
  const lua_Integer count = luaL_checkinteger(L, 2);
  const bool stratify = lua_toboolean(L, 3) != 0;
  const auto seed = static_cast<std::uint64_t>(luaL_checkinteger(L, 4));
  auto* drawn = NewOwned<NestedRows>(L);
  Try(L, [&] { *drawn = DrawNestedRows(view, count, stratify, seed); });
  return 1;
}

// rows:counts(): how many train, and how many test.
int NestedCounts(lua_State* L) {
  const auto& rows = CheckOwned<NestedRows>(L, 1, kNestedRowsName);
  lua_pushinteger(L, static_cast<lua_Integer>(rows.train.size()));
  lua_pushinteger(L, static_cast<lua_Integer>(rows.test.size()));
  return 2;
}

// native.splits_from_nested(data, {rows, ...}, {size, ...}): the training sets of all sizes within
// trial by trial. Of trials without test rows, all rows of `data` after theirs are the test rows.
int SplitsFromNested(lua_State* L) {
  const DataView& view = CheckTrainingData(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  auto* sizes = NewOwned<std::vector<std::int64_t>>(L);
  ReadIntegers(L, 3, "the sizes", *sizes);
  auto* splits = NewOwned<std::vector<SplitRows>>(L);
  const lua_Integer n = luaL_len(L, 2);
  for (lua_Integer t = 1; t <= n; ++t) {
    lua_geti(L, 2, t);
    const auto& rows = CheckOwned<NestedRows>(L, lua_gettop(L), kNestedRowsName);
    Try(L, [&] {
      std::vector<std::int64_t> test = rows.test;
      for (auto i = static_cast<std::int64_t>(rows.train.size()); i < view.num_rows(); ++i) {
        if (rows.test.empty()) test.push_back(i);
      }
      for (const std::int64_t size : *sizes) {
        const auto most = static_cast<std::int64_t>(rows.train.size());
        const auto end = rows.train.begin() + std::clamp<std::int64_t>(size, 0, most);
        splits->push_back({{rows.train.begin(), end}, test});
      }
    });
    lua_pop(L, 1);
  }
  auto* handle = NewOwned<SplitsHandle>(L);
  Try(L, [&] { handle->plan = SplitPlan::FromLists(view, std::move(*splits)); });
  return 1;
}

// native.join(first, second): the rows of both, which are rows of one table; nil if they are not.
int Join(lua_State* L) {
  const DataView& first = CheckTrainingData(L, 1);
  const DataView& second = CheckTrainingData(L, 2);
  if (first.data != second.data) {
    lua_pushnil(L);
    return 1;
  }
  auto* handle = NewOwned<DataHandle>(L);
  Try(L, [&] {
    auto rows = std::make_shared<std::vector<std::int64_t>>();
    for (const DataView* view : {&first, &second}) {
      for (std::int64_t i = 0; i < view->num_rows(); ++i) rows->push_back(view->row_id(i));
    }
    handle->view.data = first.data;
    handle->view.rows = std::move(rows);
  });
  return 1;
}

// native.student_quantile(p, df)
int StudentQuantileOf(lua_State* L) {
  const lua_Number p = luaL_checknumber(L, 1), df = luaL_checknumber(L, 2);
  luaL_argcheck(L, p > 0 && p < 1, 1, "a probability between 0 and 1 is expected");
  luaL_argcheck(L, df > 0, 2, "degrees of freedom are above 0");
  double quantile = 0;
  Try(L, [&] { quantile = stats::StudentQuantile(p, df); });
  lua_pushnumber(L, quantile);
  return 1;
}

stats::PowerLawWeights CheckWeights(lua_State* L, int arg) {
  static const char* const names[] = {"equal", "rank", "size", "inverse_variance", nullptr};
  static constexpr stats::PowerLawWeights kinds[] = {
      stats::PowerLawWeights::kEqual, stats::PowerLawWeights::kRank, stats::PowerLawWeights::kSize,
      stats::PowerLawWeights::kInverseVariance};
  return kinds[luaL_checkoption(L, arg, "equal", names)];
}

// native.power_law(sizes, errors, weights): from one error per size.
int PowerLawOf(lua_State* L) {
  auto* sizes = NewOwned<std::vector<double>>(L);
  auto* errors = NewOwned<std::vector<double>>(L);
  ReadNumbers(L, 1, "the sizes", *sizes);
  ReadNumbers(L, 2, "the errors", *errors);
  const stats::PowerLawWeights weights = CheckWeights(L, 3);
  auto* handle = NewOwned<PowerLawHandle>(L);
  Try(L, [&] {
    handle->law =
        std::make_shared<const stats::PowerLaw>(stats::FitPowerLaw(*sizes, *errors, weights));
  });
  return 1;
}

// native.power_law_of_trials(sizes, trials, weights, test_to_train): a list of errors per trial.
int PowerLawOfTrials(lua_State* L) {
  luaL_checktype(L, 2, LUA_TTABLE);
  auto* sizes = NewOwned<std::vector<double>>(L);
  auto* errors = NewOwned<std::vector<double>>(L);
  auto* trials = NewOwned<std::vector<std::vector<double>>>(L);
  ReadNumbers(L, 1, "the sizes", *sizes);
  const lua_Integer n = luaL_len(L, 2);
  for (lua_Integer t = 1; t <= n; ++t) {
    lua_geti(L, 2, t);
    ReadNumbers(L, -1, "the errors of a trial", *errors);
    lua_pop(L, 1);
    Try(L, [&] { trials->push_back(*errors); });
  }
  const stats::PowerLawWeights weights = CheckWeights(L, 3);
  const lua_Number test_to_train = luaL_checknumber(L, 4);
  auto* handle = NewOwned<PowerLawHandle>(L);
  Try(L, [&] {
    handle->law = std::make_shared<const stats::PowerLaw>(
        stats::FitPowerLawToTrials(*sizes, *trials, test_to_train, weights));
  });
  return 1;
}

// law:figures()
int Figures(lua_State* L) {
  const stats::PowerLaw& law = CheckLaw(L, 1);
  lua_createtable(L, 0, 12);
  if (!law.defined) {
    SetText(L, "undefined", law.undefined);
    return 1;
  }
  SetNumber(L, "a", law.a);
  SetNumber(L, "b", law.b);
  SetNumber(L, "c", law.c);
  SetNumber(L, "se_a", law.se_a);
  SetNumber(L, "se_b", law.se_b);
  SetNumber(L, "se_c", law.se_c);
  SetNumber(L, "sse", law.sse);
  SetNumber(L, "misfit", law.misfit);
  lua_pushboolean(L, law.at_bound);
  lua_setfield(L, -2, "at_bound");
  lua_pushinteger(L, law.df);
  lua_setfield(L, -2, "df");
  lua_pushinteger(L, law.points);
  lua_setfield(L, -2, "points");
  return 1;
}

const stats::PowerLaw& CheckDefined(lua_State* L, int arg) {
  const stats::PowerLaw& law = CheckLaw(L, arg);
  luaL_argcheck(L, law.defined, arg, "the law is undefined");
  return law;
}

// law:at(n, confidence)
int At(lua_State* L) {
  const stats::PowerLaw& law = CheckDefined(L, 1);
  const lua_Number n = luaL_checknumber(L, 2), confidence = luaL_checknumber(L, 3);
  stats::PowerLawEstimate at;
  Try(L, [&] { at = stats::PredictError(law, n, confidence); });
  lua_createtable(L, 0, 4);
  SetNumber(L, "estimate", at.estimate);
  SetNumber(L, "se", at.se);
  SetNumber(L, "low", at.low);
  SetNumber(L, "high", at.high);
  return 1;
}

// law:rows_for(error, confidence)
int RowsFor(lua_State* L) {
  const stats::PowerLaw& law = CheckDefined(L, 1);
  const lua_Number error = luaL_checknumber(L, 2), confidence = luaL_checknumber(L, 3);
  stats::PowerLawRows rows;
  Try(L, [&] { rows = stats::RowsForError(law, error, confidence); });
  lua_createtable(L, 0, 4);
  SetNumber(L, "rows", rows.rows);
  SetNumber(L, "low", rows.low);
  SetNumber(L, "high", rows.high);
  lua_pushboolean(L, !rows.reachable);
  lua_setfield(L, -2, "unreachable");
  return 1;
}

// law:crossing(other, from, to, confidence)
int Crossing(lua_State* L) {
  const stats::PowerLaw& first = CheckDefined(L, 1);
  const stats::PowerLaw& second = CheckDefined(L, 2);
  const lua_Number from = luaL_checknumber(L, 3), to = luaL_checknumber(L, 4);
  const lua_Number confidence = luaL_checknumber(L, 5);
  stats::PowerLawCrossing crossing;
  Try(L, [&] { crossing = stats::CrossPowerLaws(first, second, from, to, confidence); });
  lua_createtable(L, 0, 5);
  static const char* const kCrosses[] = {"not decided", "yes", "no"};  // as in enum Crosses
  lua_pushstring(L, kCrosses[static_cast<int>(crossing.crosses)]);
  lua_setfield(L, -2, "crosses");
  lua_pushboolean(L, crossing.first_lower_before);
  lua_setfield(L, -2, "first_lower_before");
  SetNumber(L, "rows", crossing.rows);
  SetNumber(L, "low", crossing.low);
  SetNumber(L, "high", crossing.high);
  return 1;
}

}  // namespace

void OpenLearningCurves(lua_State* L) {
  static constexpr luaL_Reg kMethods[] = {{"figures", Figures},
                                          {"at", At},
                                          {"rows_for", RowsFor},
                                          {"crossing", Crossing},
                                          {nullptr, nullptr}};
  static constexpr luaL_Reg kMetamethods[] = {{nullptr, nullptr}};
  static constexpr luaL_Reg kFunctions[] = {{"nested_rows", NestedRowsOf},
                                            {"splits_from_nested", SplitsFromNested},
                                            {"join", Join},
                                            {"student_quantile", StudentQuantileOf},
                                            {"power_law", PowerLawOf},
                                            {"power_law_of_trials", PowerLawOfTrials},
                                            {nullptr, nullptr}};
  static constexpr luaL_Reg kRowsMethods[] = {{"counts", NestedCounts}, {nullptr, nullptr}};
  RegisterType<PowerLawHandle>(L, kPowerLawName, kMethods, kMetamethods);
  RegisterType<NestedRows>(L, kNestedRowsName, kRowsMethods, kMetamethods);
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
