// Compares learners by their ranks on several datasets.
#include <cstddef>
#include <vector>

#include "bindings/lua/native.h"
#include "crossfold/stats/friedman.h"

namespace crossfold::lua {
namespace {

struct RankResults {
  stats::FriedmanTest test;
  std::vector<stats::RankComparison> pairs, with_control;
  double critical_difference = 0;
  std::vector<std::vector<std::size_t>> groups;
};

// The post hoc comparisons, if there is anything to compare; `control` counts from 1, 0 = none.
void AddComparisons(RankResults& results, double alpha, std::int64_t control, bool with_pairs,
                    const CancelToken* cancel) {
  const stats::FriedmanTest& test = results.test;
  results.critical_difference =
      stats::CriticalDifference(test.learners, test.datasets, alpha, stats::PostHoc::kNemenyi);
  if (with_pairs) results.pairs = stats::Nemenyi(test.average_ranks, test.datasets, cancel);
  results.groups = stats::AlikeGroups(test.average_ranks, results.critical_difference);
  if (control > 0) {
    results.with_control = stats::BonferroniDunn(test.average_ranks, test.datasets,
                                                 static_cast<std::size_t>(control - 1));
  }
}

void SetRankTest(lua_State* L, const stats::RankTest& test) {
  SetFields(L, Field("statistic", test.statistic), Field("p", test.p), Reason(test.undefined));
}

// {first =, second =, difference =, p =}; learners count from 1.
void PushComparison(lua_State* L, const stats::RankComparison& pair) {
  PushTable(L, Field("first", pair.first + 1), Field("second", pair.second + 1),
            Field("difference", pair.difference), Field("p", pair.p));
}

void SetTests(lua_State* L, const stats::FriedmanTest& test) {
  SetFields(L, Field("datasets", test.datasets), Field("average_ranks", test.average_ranks),
            Field("ties", test.ties));
  SetRankTest(L, test.chi_squared);
  lua_createtable(L, 0, 3);
  SetRankTest(L, test.tie_corrected);
  lua_createtable(L, 0, 5);
  SetRankTest(L, test.iman_davenport);
  if (test.chi_squared.defined) {
    SetFields(L, Field("df1", test.iman_davenport.df1), Field("df2", test.iman_davenport.df2));
    lua_pushinteger(L, test.tie_corrected.df1);
    lua_setfield(L, -3, "df");
    lua_pushinteger(L, test.chi_squared.df1);
    lua_setfield(L, -4, "df");
  }
  lua_setfield(L, -3, "iman_davenport");
  lua_setfield(L, -2, "tie_corrected");
}

// native.stats_friedman(scores, higher_is_better, alpha, control, with_pairs); control 0 = none.
int FriedmanOf(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  const bool higher_is_better = lua_toboolean(L, 2) != 0;
  const double alpha = luaL_checknumber(L, 3);
  const lua_Integer control = luaL_checkinteger(L, 4);
  const bool with_pairs = lua_toboolean(L, 5) != 0;
  auto* scores = NewOwned<std::vector<std::vector<double>>>(L);
  ReadNumberLists(L, 1, "the scores of dataset", *scores);
  auto* results = NewOwned<RankResults>(L);
  const CancelToken* cancel = GetSession(L).cancel();
  Try(L, [&] {
    results->test = stats::Friedman(*scores, higher_is_better);
    if (results->test.chi_squared.defined) {
      AddComparisons(*results, alpha, control, with_pairs, cancel);
    }
  });
  lua_createtable(L, 0, 12);
  SetTests(L, results->test);
  if (!results->test.chi_squared.defined) return 1;
  SetField(L, "critical_difference", results->critical_difference);
  const auto push = [L](const stats::RankComparison& pair) { PushComparison(L, pair); };
  if (with_pairs) SetList(L, "nemenyi", results->pairs, push);
  SetList(L, "groups", results->groups, [L](const std::vector<std::size_t>& group) {
    PushList(L, group, [L](std::size_t i) { lua_pushinteger(L, static_cast<lua_Integer>(i + 1)); });
  });
  if (control > 0) SetList(L, "bonferroni_dunn", results->with_control, push);
  return 1;
}

// native.stats_critical_difference{learners =, datasets =, alpha =, method =}
int CriticalDifferenceOf(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  const std::int64_t learners = IntegerField(L, 1, "learners");
  const std::int64_t datasets = IntegerField(L, 1, "datasets");
  const double alpha = NumberField(L, 1, "alpha");
  const auto method = FieldIs(L, 1, "method", "nemenyi") ? stats::PostHoc::kNemenyi
                                                         : stats::PostHoc::kBonferroniDunn;
  return RunAndPush(L,
                    [&] { return stats::CriticalDifference(learners, datasets, alpha, method); });
}

}  // namespace

void OpenStatsRanks(lua_State* L) {
  AddFunctions(
      L, {{"stats_friedman", FriedmanOf}, {"stats_critical_difference", CriticalDifferenceOf}});
}

}  // namespace crossfold::lua
