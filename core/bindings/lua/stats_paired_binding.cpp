// cf.stats: accuracies and learners compared. The scripts check the names of the options; here the
// values are read, the functions of stats called, and their results named.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bindings/lua/arguments.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "bindings/lua/session.h"
#include "bindings/lua/stats_fields.h"
#include "crossfold/stats/bayes_hierarchical.h"
#include "crossfold/stats/bayes_signed_rank.h"
#include "crossfold/stats/cochran_q.h"
#include "crossfold/stats/mcnemar.h"
#include "crossfold/stats/multiple_testing.h"
#include "crossfold/stats/proportion.h"
#include "crossfold/stats/signed_rank.h"
#include "crossfold/stats/t_test.h"

namespace crossfold::lua {
namespace {

// The names of an enumeration in the order of its values, for luaL_checkoption.
constexpr const char* kProportionMethods[] = {
    "wilson",        "wilson_corrected", "normal", "clopper_pearson",
    "agresti_coull", "jeffreys",         nullptr};
constexpr const char* kMcNemarMethods[] = {"exact", "mid_p", "chi_squared", "corrected", nullptr};
constexpr const char* kZeros[] = {"wilcox", "pratt", "zsplit", nullptr};
constexpr const char* kSignedRankMethods[] = {"auto", "exact", "normal", nullptr};
constexpr const char* kSignTies[] = {"dropped", "split", nullptr};

template <class Enumeration>
Enumeration CheckChoice(lua_State* L, int arg, const char* const names[]) {
  return static_cast<Enumeration>(luaL_checkoption(L, arg, nullptr, names));
}

std::vector<double>& ReadDifferences(lua_State* L, int arg) {
  auto* differences = NewOwned<std::vector<double>>(L);
  ReadNumbers(L, arg, "the differences", *differences);
  return *differences;
}

// native.accuracy_interval(correct, n, method, confidence)
int AccuracyInterval(lua_State* L) {
  const lua_Integer correct = luaL_checkinteger(L, 1), n = luaL_checkinteger(L, 2);
  const auto method = CheckChoice<stats::ProportionMethod>(L, 3, kProportionMethods);
  const double confidence = luaL_checknumber(L, 4);
  auto* interval = NewOwned<stats::ProportionInterval>(L);
  Try(L, [&] { *interval = stats::IntervalOfProportion(correct, n, method, confidence); });
  lua_createtable(L, 0, 8);
  SetNumber(L, "estimate", interval->estimate);
  SetNumber(L, "low", interval->low);
  SetNumber(L, "high", interval->high);
  SetNumber(L, "confidence", confidence);
  SetInteger(L, "correct", correct);
  SetInteger(L, "n", n);
  lua_pushvalue(L, 3);
  lua_setfield(L, -2, "method");
  SetReason(L, interval->undefined);
  return 1;
}

// native.two_proportions(count, n, count, n, confidence)
int TwoProportionsOf(lua_State* L) {
  const stats::CountOf first = {luaL_checknumber(L, 1), luaL_checkinteger(L, 2)};
  const stats::CountOf second = {luaL_checknumber(L, 3), luaL_checkinteger(L, 4)};
  const double confidence = luaL_checknumber(L, 5);
  auto* result = NewOwned<stats::TwoProportions>(L);
  Try(L, [&] { *result = stats::CompareProportions(first, second, confidence); });
  lua_createtable(L, 0, 14);
  SetNumber(L, "first", result->first);
  SetNumber(L, "second", result->second);
  SetNumber(L, "difference", result->difference);
  SetNumber(L, "pooled_error", result->pooled_error);
  SetNumber(L, "statistic", result->statistic);
  SetNumber(L, "p", result->p);
  SetNumber(L, "standard_error", result->standard_error);
  SetNumber(L, "unpooled_statistic", result->unpooled_statistic);
  SetNumber(L, "unpooled_p", result->unpooled_p);
  SetNumber(L, "low", result->low);
  SetNumber(L, "high", result->high);
  SetNumber(L, "confidence", confidence);
  SetReason(L, result->undefined);
  if (!result->interval_undefined.empty()) {
    SetText(L, "interval_undefined", result->interval_undefined);
  }
  return 1;
}

// native.paired_t(differences, test_train_ratio or nil, confidence): with a ratio the corrected
// test.
int PairedTOf(lua_State* L) {
  const bool corrected = !lua_isnoneornil(L, 2);
  const double ratio = luaL_optnumber(L, 2, 0), confidence = luaL_checknumber(L, 3);
  const auto& differences = ReadDifferences(L, 1);
  auto* test = NewOwned<stats::TTest>(L);
  Try(L, [&] {
    *test = corrected ? stats::CorrectedT(differences, ratio, confidence)
                      : stats::PairedT(differences, confidence);
  });
  lua_createtable(L, 0, 16);
  SetInteger(L, "n", test->n);
  SetNumber(L, "mean", test->mean);
  SetNumber(L, "variance", test->variance);
  SetNumber(L, "standard_error", test->standard_error);
  SetNumber(L, "statistic", test->statistic);
  SetNumber(L, "df", test->df);
  SetNumber(L, "p", test->p);
  SetNumber(L, "p_greater", test->p_greater);
  SetNumber(L, "p_less", test->p_less);
  SetNumber(L, "critical", test->critical);
  SetNumber(L, "low", test->low);
  SetNumber(L, "high", test->high);
  SetNumber(L, "confidence", confidence);
  if (corrected) SetNumber(L, "test_train_ratio", ratio);
  SetReason(L, test->undefined);
  return 1;
}

// native.five_by_two(ten differences, the two of a replication next to each other)
int FiveByTwo(lua_State* L) {
  const auto& flat = ReadDifferences(L, 1);
  luaL_argcheck(L, flat.size() == 10, 1, "ten differences expected");
  auto* test = NewOwned<stats::FiveByTwoTest>(L);
  Try(L, [&] {
    std::array<std::array<double, 2>, 5> differences;
    for (std::size_t i = 0; i < flat.size(); ++i) differences[i / 2][i % 2] = flat[i];
    *test = stats::FiveByTwoCv(differences);
  });
  lua_createtable(L, 0, 9);
  SetNumber(L, "mean", test->mean);
  SetNumber(L, "t", test->t);
  SetNumber(L, "t_df", test->t_df);
  SetNumber(L, "t_p", test->t_p);
  SetNumber(L, "f", test->f);
  SetNumber(L, "f_df1", test->f_df1);
  SetNumber(L, "f_df2", test->f_df2);
  SetNumber(L, "f_p", test->f_p);
  SetReason(L, test->undefined);
  return 1;
}

// native.bayes_correlated_t(differences, rho, rope, confidence)
int BayesCorrelatedTOf(lua_State* L) {
  const double rho = luaL_checknumber(L, 2), rope = luaL_checknumber(L, 3);
  const double confidence = luaL_checknumber(L, 4);
  const auto& differences = ReadDifferences(L, 1);
  auto* result = NewOwned<stats::CorrelatedBayes>(L);
  Try(L, [&] { *result = stats::BayesCorrelatedT(differences, rho, rope, confidence); });
  lua_createtable(L, 0, 13);
  SetInteger(L, "n", result->n);
  SetNumber(L, "mean", result->mean);
  SetNumber(L, "variance", result->variance);
  SetNumber(L, "df", result->df);
  SetNumber(L, "scale", result->scale);
  SetNumber(L, "left", result->left);
  SetNumber(L, "rope", result->rope);
  SetNumber(L, "right", result->right);
  SetNumber(L, "low", result->low);
  SetNumber(L, "high", result->high);
  SetNumber(L, "confidence", confidence);
  SetNumber(L, "rho", rho);
  SetReason(L, result->undefined);
  return 1;
}

// Sets `points` of the table on top of the stack, if there are any: lists of three numbers.
void SetPoints(lua_State* L, const std::vector<std::array<double, 3>>& points) {
  if (points.empty()) return;
  lua_createtable(L, static_cast<int>(points.size()), 0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    lua_createtable(L, 3, 0);
    for (std::size_t r = 0; r < 3; ++r) {
      lua_pushnumber(L, points[i][r]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(r + 1));
    }
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
  lua_setfield(L, -2, "points");
}

// native.bayes_signed_rank(differences, rope, prior_strength, samples, seed, points)
int BayesSignedRankOf(lua_State* L) {
  stats::BayesSignedRankOptions options;
  options.rope = luaL_checknumber(L, 2);
  options.prior_strength = luaL_checknumber(L, 3);
  options.samples = luaL_checkinteger(L, 4);
  options.seed = static_cast<std::uint64_t>(luaL_checkinteger(L, 5));
  options.points = luaL_checkinteger(L, 6);
  options.cancel = GetSession(L).cancel();
  const auto& differences = ReadDifferences(L, 1);
  auto* test = NewOwned<stats::BayesSignedRankTest>(L);
  Try(L, [&] { *test = stats::BayesSignedRank(differences, options); });
  lua_createtable(L, 0, 6);
  SetInteger(L, "n", test->n);
  SetNumber(L, "left", test->left);
  SetNumber(L, "rope", test->rope);
  SetNumber(L, "right", test->right);
  SetInteger(L, "samples", options.samples);
  SetPoints(L, test->points);
  SetReason(L, test->undefined);
  return 1;
}

// The names of the priors in the order of HierarchicalPrior.
constexpr const char* kPriors[] = {"corani", "baycomp", nullptr};

// native.bayes_hierarchical(lists of differences, rhos, {rope, prior, samples, seed, points})
int BayesHierarchicalOf(lua_State* L) {
  stats::BayesHierarchicalOptions options;
  options.rope = NumberField(L, 3, "rope");
  options.samples = IntegerField(L, 3, "samples");
  options.points = IntegerField(L, 3, "points");
  options.seed = static_cast<std::uint64_t>(IntegerField(L, 3, "seed"));
  options.cancel = GetSession(L).cancel();
  const bool corani = FieldIs(L, 3, "prior", kPriors[0]);
  options.prior = corani ? stats::HierarchicalPrior::Corani() : stats::HierarchicalPrior::Baycomp();
  auto* lists = NewOwned<std::vector<std::vector<double>>>(L);
  ReadNumberLists(L, 1, "dataset", *lists);
  auto* rhos = NewOwned<std::vector<double>>(L);
  ReadNumbers(L, 2, "rho", *rhos);
  luaL_argcheck(L, rhos->size() == lists->size(), 2, "one for each dataset is expected");
  auto* datasets = NewOwned<std::vector<stats::FoldDifferences>>(L);
  auto* test = NewOwned<stats::BayesHierarchicalTest>(L);
  Try(L, [&] {
    for (std::size_t i = 0; i < lists->size(); ++i) {
      datasets->push_back({std::move((*lists)[i]), (*rhos)[i]});
    }
    *test = stats::BayesHierarchical(*datasets, options);
  });
  lua_createtable(L, 0, 10);
  SetInteger(L, "n", test->n);
  SetNumber(L, "left", test->left);
  SetNumber(L, "rope", test->rope);
  SetNumber(L, "right", test->right);
  SetNumber(L, "mean", test->mean);
  SetNumber(L, "sd", test->sd);
  SetNumber(L, "rhat", test->rhat);
  SetInteger(L, "samples", options.samples);
  SetPoints(L, test->points);
  SetReason(L, test->undefined);
  return 1;
}

// native.mcnemar(only_first, only_second, method)
int McNemarOf(lua_State* L) {
  const lua_Integer only_first = luaL_checkinteger(L, 1), only_second = luaL_checkinteger(L, 2);
  const auto method = CheckChoice<stats::McNemarMethod>(L, 3, kMcNemarMethods);
  auto* test = NewOwned<stats::McNemarTest>(L);
  Try(L, [&] { *test = stats::McNemar(only_first, only_second, method); });
  lua_createtable(L, 0, 7);
  SetInteger(L, "only_first", only_first);
  SetInteger(L, "only_second", only_second);
  SetNumber(L, "statistic", test->statistic);
  SetNumber(L, "df", test->df);
  SetNumber(L, "p", test->p);
  lua_pushvalue(L, 3);
  lua_setfield(L, -2, "method");
  SetReason(L, test->undefined);
  return 1;
}

// native.cochran_q(entries, models): 1 or 0 per row and model, the models of a row next to each
// other.
int CochranQOf(lua_State* L) {
  const lua_Integer models = luaL_checkinteger(L, 2);
  luaL_argcheck(L, models >= 0, 2, "a number of models expected");
  auto* entries = NewOwned<std::vector<std::int64_t>>(L);
  ReadIntegers(L, 1, "the entries", *entries);
  auto* test = NewOwned<stats::CochranTest>(L);
  Try(L, [&] {
    const std::vector<std::uint8_t> right(entries->begin(), entries->end());
    *test = stats::CochranQ(right, static_cast<std::size_t>(models));
  });
  lua_createtable(L, 0, 6);
  SetInteger(L, "rows", test->rows);
  PushIntegers(L, test->correct);
  lua_setfield(L, -2, "correct");
  SetNumber(L, "statistic", test->statistic);
  SetNumber(L, "df", test->df);
  SetNumber(L, "p", test->p);
  SetReason(L, test->undefined);
  return 1;
}

// native.wilcoxon(differences, zeros, method, continuity, tie_correction, tie_tolerance)
int Wilcoxon(lua_State* L) {
  stats::SignedRankOptions options;
  options.zeros = CheckChoice<stats::Zeros>(L, 2, kZeros);
  options.method = CheckChoice<stats::SignedRankMethod>(L, 3, kSignedRankMethods);
  options.continuity = lua_toboolean(L, 4) != 0;
  options.tie_correction = lua_toboolean(L, 5) != 0;
  options.tie_tolerance = luaL_checknumber(L, 6);
  options.cancel = GetSession(L).cancel();
  const auto& differences = ReadDifferences(L, 1);
  auto* test = NewOwned<stats::SignedRankTest>(L);
  Try(L, [&] { *test = stats::SignedRank(differences, options); });
  lua_createtable(L, 0, 10);
  SetInteger(L, "n", test->n);
  SetInteger(L, "zeros", test->zeros);
  lua_pushboolean(L, test->ties);
  lua_setfield(L, -2, "ties");
  SetNumber(L, "r_plus", test->r_plus);
  SetNumber(L, "r_minus", test->r_minus);
  SetNumber(L, "statistic", test->statistic);
  SetNumber(L, "z", test->z);
  SetNumber(L, "p", test->p);
  if (test->defined) {
    lua_pushstring(L, test->exact ? "exact" : "normal");
    lua_setfield(L, -2, "method");
  }
  SetReason(L, test->undefined);
  return 1;
}

// native.sign_test(differences, ties, tie_tolerance)
int SignTestOf(lua_State* L) {
  const auto ties = CheckChoice<stats::SignTies>(L, 2, kSignTies);
  const double tolerance = luaL_checknumber(L, 3);
  const auto& differences = ReadDifferences(L, 1);
  auto* test = NewOwned<stats::SignTest>(L);
  Try(L, [&] { *test = stats::TestSigns(differences, ties, tolerance); });
  lua_createtable(L, 0, 6);
  SetInteger(L, "plus", test->plus);
  SetInteger(L, "minus", test->minus);
  SetInteger(L, "ties", test->ties);
  SetInteger(L, "n", test->n);
  SetNumber(L, "p", test->p);
  SetReason(L, test->undefined);
  return 1;
}

// native.adjust_p(p-values, method)
int AdjustPOf(lua_State* L) {
  const auto adjustment = CheckChoice<stats::Adjustment>(L, 2, stats::kAdjustmentNames);
  auto* p = NewOwned<std::vector<double>>(L);
  ReadNumbers(L, 1, "the p-values", *p);
  const CancelToken* cancel = GetSession(L).cancel();
  Try(L, [&] { *p = stats::AdjustP(*p, adjustment, cancel); });
  PushNumbers(L, *p);
  return 1;
}

}  // namespace

void OpenStatsPaired(lua_State* L) {
  static constexpr luaL_Reg kFunctions[] = {{"accuracy_interval", AccuracyInterval},
                                            {"two_proportions", TwoProportionsOf},
                                            {"paired_t", PairedTOf},
                                            {"five_by_two", FiveByTwo},
                                            {"bayes_correlated_t", BayesCorrelatedTOf},
                                            {"bayes_signed_rank", BayesSignedRankOf},
                                            {"bayes_hierarchical", BayesHierarchicalOf},
                                            {"mcnemar", McNemarOf},
                                            {"cochran_q", CochranQOf},
                                            {"wilcoxon", Wilcoxon},
                                            {"sign_test", SignTestOf},
                                            {"adjust_p", AdjustPOf},
                                            {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
  SetNumber(L, "tie_tolerance", stats::kTieTolerance);
}

}  // namespace crossfold::lua
