// Learning curves: nested training sets, and the power law.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analysis/stats/distributions.h"
#include "bindings/lua/native.h"
#include "crossfold/split.h"
#include "crossfold/stats/power_law.h"
#include "engine/plan/nested_rows.h"

namespace crossfold::lua {
namespace {

struct PowerLawHandle {
  static constexpr char kName[] = "crossfold.PowerLaw";
  std::shared_ptr<const stats::PowerLaw> law;
};

struct NestedRowsHandle {
  static constexpr char kName[] = "crossfold.NestedRows";
  NestedRows rows;
};

PowerLawHandle Shared(stats::PowerLaw law) {
  return {std::make_shared<const stats::PowerLaw>(std::move(law))};
}

// native.nested_rows(data, test_count, stratify, seed): the rows of one trial.
NestedRowsHandle NestedRowsOf(const DataView& view, std::int64_t count, bool stratify,
                              std::uint64_t seed) {
  return {DrawNestedRows(view, count, stratify, seed)};
}

// rows:counts(): how many train, and how many test.
std::tuple<std::size_t, std::size_t> NestedCounts(const NestedRowsHandle& handle) {
  return {handle.rows.train.size(), handle.rows.test.size()};
}

// native.splits_from_nested(data, {rows, ...}, {size, ...}): the training sets of all sizes within
// trial by trial. Of trials without test rows, all rows of `data` after theirs are the test rows.
SplitsHandle SplitsFromNested(const DataView& view, Handles<NestedRowsHandle> trials,
                              Integers<"the sizes"> sizes) {
  std::vector<SplitRows> splits;
  for (const NestedRowsHandle& trial : *trials) {
    const NestedRows& rows = trial.rows;
    const auto most = static_cast<std::int64_t>(rows.train.size());
    std::vector<std::int64_t> test = rows.test;
    for (std::int64_t i = most; i < view.num_rows(); ++i) {
      if (rows.test.empty()) test.push_back(i);
    }
    for (const std::int64_t size : *sizes) {
      const auto end = rows.train.begin() + std::clamp<std::int64_t>(size, 0, most);
      splits.push_back({{rows.train.begin(), end}, test});
    }
  }
  return {SplitPlan::FromLists(view, std::move(splits))};
}

// native.join(first, second): the rows of both, which are rows of one table; nil if they are not.
int Join(lua_State* L) {
  const DataView& first = CheckTrainingData(L, 1);
  const DataView& second = CheckTrainingData(L, 2);
  if (first.data != second.data) {
    lua_pushnil(L);
    return 1;
  }
  return RunAndPush(L, [&] {
    auto rows = std::make_shared<std::vector<std::int64_t>>();
    for (const DataView* view : {&first, &second}) {
      for (std::int64_t i = 0; i < view->num_rows(); ++i) rows->push_back(view->row_id(i));
    }
    return DataHandle{{first.data, std::move(rows)}};
  });
}

// native.student_quantile(p, df)
double StudentQuantileOf(double p, double df) {
  RequireArgument(p > 0 && p < 1, 1, "a probability between 0 and 1 is expected");
  RequireArgument(df > 0, 2, "degrees of freedom are above 0");
  return stats::StudentQuantile(p, df);
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
  int at = 1;
  const auto sizes = Argument<Numbers<"the sizes">>::Read(L, at);
  const auto errors = Argument<Numbers<"the errors">>::Read(L, at);
  const stats::PowerLawWeights weights = CheckWeights(L, 3);
  return RunAndPush(L, [&] { return Shared(stats::FitPowerLaw(*sizes, *errors, weights)); });
}

// native.power_law_of_trials(sizes, trials, weights, test_to_train): a list of errors per trial.
int PowerLawOfTrials(lua_State* L) {
  luaL_checktype(L, 2, LUA_TTABLE);
  auto* sizes = NewOwned<std::vector<double>>(L);
  auto* trials = NewOwned<std::vector<std::vector<double>>>(L);
  ReadNumbers(L, 1, "the sizes", *sizes);
  const lua_Integer n = luaL_len(L, 2);
  for (lua_Integer t = 1; t <= n; ++t) {
    lua_geti(L, 2, t);
    Try(L, [&] { trials->emplace_back(); });
    ReadNumbers(L, -1, "the errors of a trial", trials->back());
    lua_pop(L, 1);
  }
  const stats::PowerLawWeights weights = CheckWeights(L, 3);
  const lua_Number test_to_train = luaL_checknumber(L, 4);
  return RunAndPush(L, [&] {
    return Shared(stats::FitPowerLawToTrials(*sizes, *trials, test_to_train, weights));
  });
}

// law:figures()
int Figures(lua_State* L) {
  const stats::PowerLaw& law = *CheckOwned<PowerLawHandle>(L, 1).law;
  if (!law.defined) {
    PushTable(L, Field("undefined", law.undefined));
    return 1;
  }
  PushTable(L, Field("a", law.a), Field("b", law.b), Field("c", law.c), Field("se_a", law.se_a),
            Field("se_b", law.se_b), Field("se_c", law.se_c), Field("sse", law.sse),
            Field("misfit", law.misfit), Field("at_bound", law.at_bound), Field("df", law.df),
            Field("points", law.points));
  return 1;
}

const stats::PowerLaw& Defined(const PowerLawHandle& handle, int arg) {
  RequireArgument(handle.law->defined, arg, "the law is undefined");
  return *handle.law;
}

// law:at(n, confidence)
stats::PowerLawEstimate At(const PowerLawHandle& handle, double n, double confidence) {
  return stats::PredictError(Defined(handle, 1), n, confidence);
}

void PushEstimate(lua_State* L, const stats::PowerLawEstimate& at) {
  PushTable(L, Field("estimate", at.estimate), Field("se", at.se), Field("low", at.low),
            Field("high", at.high));
}

// law:rows_for(error, confidence)
stats::PowerLawRows RowsFor(const PowerLawHandle& handle, double error, double confidence) {
  return stats::RowsForError(Defined(handle, 1), error, confidence);
}

void PushRowsFor(lua_State* L, const stats::PowerLawRows& rows) {
  PushTable(L, Field("rows", rows.rows), Field("low", rows.low), Field("high", rows.high),
            Field("unreachable", !rows.reachable));
}

// law:crossing(other, from, to, confidence)
stats::PowerLawCrossing Crossing(const PowerLawHandle& first, const PowerLawHandle& second,
                                 double from, double to, double confidence) {
  return stats::CrossPowerLaws(Defined(first, 1), Defined(second, 2), from, to, confidence);
}

void PushCrossing(lua_State* L, const stats::PowerLawCrossing& crossing) {
  static const char* const kCrosses[] = {"not decided", "yes", "no"};  // as in enum Crosses
  PushTable(L, Field("crosses", kCrosses[static_cast<int>(crossing.crosses)]),
            Field("first_lower_before", crossing.first_lower_before), Field("rows", crossing.rows),
            Field("low", crossing.low), Field("high", crossing.high));
}

}  // namespace

void OpenLearningCurves(lua_State* L) {
  RegisterType<PowerLawHandle>(L, {{"figures", Figures},
                                   {"at", Native<At, PushEstimate>},
                                   {"rows_for", Native<RowsFor, PushRowsFor>},
                                   {"crossing", Native<Crossing, PushCrossing>}});
  RegisterType<NestedRowsHandle>(L, {{"counts", Native<NestedCounts>}});
  AddFunctions(L, {{"nested_rows", Native<NestedRowsOf>},
                   {"splits_from_nested", Native<SplitsFromNested>},
                   {"join", Join},
                   {"student_quantile", Native<StudentQuantileOf>},
                   {"power_law", PowerLawOf},
                   {"power_law_of_trials", PowerLawOfTrials}});
}

}  // namespace crossfold::lua
