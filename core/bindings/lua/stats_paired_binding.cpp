// cf.stats: accuracies and learners compared. The scripts check the names of the options; here the
// values are read, the functions of stats called, and their results named.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "bindings/lua/native.h"
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

using Differences = Numbers<"the differences">;

Differences ReadDifferences(lua_State* L) {
  int at = 1;
  return Argument<Differences>::Read(L, at);
}

// native.accuracy_interval(correct, n, method, confidence)
int AccuracyInterval(lua_State* L) {
  const lua_Integer correct = luaL_checkinteger(L, 1), n = luaL_checkinteger(L, 2);
  const auto method = CheckChoice<stats::ProportionMethod>(L, 3, kProportionMethods);
  const double confidence = luaL_checknumber(L, 4);
  auto* interval = NewOwned<stats::ProportionInterval>(L);
  Try(L, [&] { *interval = stats::IntervalOfProportion(correct, n, method, confidence); });
  PushTable(L, Field("estimate", interval->estimate), Field("low", interval->low),
            Field("high", interval->high), Field("confidence", confidence),
            Field("correct", correct), Field("n", n), Field("method", CheckText(L, 3)),
            Reason(interval->undefined));
  return 1;
}

// native.two_proportions(count, n, count, n, confidence)
int TwoProportionsOf(lua_State* L) {
  const stats::CountOf first = {luaL_checknumber(L, 1), luaL_checkinteger(L, 2)};
  const stats::CountOf second = {luaL_checknumber(L, 3), luaL_checkinteger(L, 4)};
  const double confidence = luaL_checknumber(L, 5);
  auto* result = NewOwned<stats::TwoProportions>(L);
  Try(L, [&] { *result = stats::CompareProportions(first, second, confidence); });
  PushTable(L, Field("first", result->first), Field("second", result->second),
            Field("difference", result->difference), Field("pooled_error", result->pooled_error),
            Field("statistic", result->statistic), Field("p", result->p),
            Field("standard_error", result->standard_error),
            Field("unpooled_statistic", result->unpooled_statistic),
            Field("unpooled_p", result->unpooled_p), Field("low", result->low),
            Field("high", result->high), Field("confidence", confidence),
            Field("interval_undefined", NotEmpty(result->interval_undefined)),
            Reason(result->undefined));
  return 1;
}

// Of how many different splits the differences are; nullopt = all are.
std::optional<std::int64_t> CheckDistinct(lua_State* L, int arg) {
  if (lua_isnoneornil(L, arg)) return std::nullopt;
  return luaL_checkinteger(L, arg);
}

// native.paired_t(differences, test_train_ratio or nil, confidence, distinct): with a ratio the
// corrected test.
int PairedTOf(lua_State* L) {
  std::optional<double> ratio;
  if (!lua_isnoneornil(L, 2)) ratio = luaL_checknumber(L, 2);
  const auto distinct = CheckDistinct(L, 4);
  const double confidence = luaL_checknumber(L, 3);
  const Differences differences = ReadDifferences(L);
  auto* test = NewOwned<stats::TTest>(L);
  Try(L, [&] {
    *test = ratio ? stats::CorrectedT(*differences, *ratio, confidence, distinct)
                  : stats::PairedT(*differences, confidence);
  });
  PushTable(L, Field("n", test->n), Field("mean", test->mean), Field("variance", test->variance),
            Field("standard_error", test->standard_error), Field("statistic", test->statistic),
            Field("df", test->df), Field("p", test->p), Field("p_greater", test->p_greater),
            Field("p_less", test->p_less), Field("critical", test->critical),
            Field("low", test->low), Field("high", test->high), Field("confidence", confidence),
            Field("test_train_ratio", ratio), Reason(test->undefined));
  return 1;
}

// native.five_by_two(ten differences, the two of a replication next to each other)
stats::FiveByTwoTest FiveByTwo(Differences flat) {
  RequireArgument(flat->size() == 10, 1, "ten differences expected");
  std::array<std::array<double, 2>, 5> differences;
  for (std::size_t i = 0; i < flat->size(); ++i) differences[i / 2][i % 2] = (*flat)[i];
  return stats::FiveByTwoCv(differences);
}

void PushFiveByTwo(lua_State* L, const stats::FiveByTwoTest& test) {
  PushTable(L, Field("mean", test.mean), Field("t", test.t), Field("t_df", test.t_df),
            Field("t_p", test.t_p), Field("f", test.f), Field("f_df1", test.f_df1),
            Field("f_df2", test.f_df2), Field("f_p", test.f_p), Reason(test.undefined));
}

// native.bayes_correlated_t(differences, rho, rope, confidence, distinct)
int BayesCorrelatedTOf(lua_State* L) {
  const double rho = luaL_checknumber(L, 2), rope = luaL_checknumber(L, 3);
  const double confidence = luaL_checknumber(L, 4);
  const auto distinct = CheckDistinct(L, 5);
  const Differences differences = ReadDifferences(L);
  auto* result = NewOwned<stats::CorrelatedBayes>(L);
  Try(L, [&] { *result = stats::BayesCorrelatedT(*differences, rho, rope, confidence, distinct); });
  PushTable(L, Field("n", result->n), Field("mean", result->mean),
            Field("variance", result->variance), Field("df", result->df),
            Field("scale", result->scale), Field("left", result->left), Field("rope", result->rope),
            Field("right", result->right), Field("low", result->low), Field("high", result->high),
            Field("confidence", confidence), Field("rho", rho), Reason(result->undefined));
  return 1;
}

// Sets `points` of the table on top of the stack, if there are any: lists of three numbers.
void SetPoints(lua_State* L, const std::vector<std::array<double, 3>>& points) {
  if (points.empty()) return;
  SetList(L, "points", points, [L](const std::array<double, 3>& point) { PushNumbers(L, point); });
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
  const Differences differences = ReadDifferences(L);
  auto* test = NewOwned<stats::BayesSignedRankTest>(L);
  Try(L, [&] { *test = stats::BayesSignedRank(*differences, options); });
  PushTable(L, Field("n", test->n), Field("left", test->left), Field("rope", test->rope),
            Field("right", test->right), Field("samples", options.samples),
            Reason(test->undefined));
  SetPoints(L, test->points);
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
  auto* test = NewOwned<stats::BayesHierarchicalTest>(L);
  Try(L, [&] {
    std::vector<stats::FoldDifferences> datasets;
    for (std::size_t i = 0; i < lists->size(); ++i) {
      datasets.push_back({std::move((*lists)[i]), (*rhos)[i]});
    }
    *test = stats::BayesHierarchical(datasets, options);
  });
  PushTable(L, Field("n", test->n), Field("left", test->left), Field("rope", test->rope),
            Field("right", test->right), Field("mean", test->mean), Field("sd", test->sd),
            Field("rhat", test->rhat), Field("samples", options.samples), Reason(test->undefined));
  SetPoints(L, test->points);
  return 1;
}

// native.mcnemar(only_first, only_second, method)
int McNemarOf(lua_State* L) {
  const lua_Integer only_first = luaL_checkinteger(L, 1), only_second = luaL_checkinteger(L, 2);
  const auto method = CheckChoice<stats::McNemarMethod>(L, 3, kMcNemarMethods);
  auto* test = NewOwned<stats::McNemarTest>(L);
  Try(L, [&] { *test = stats::McNemar(only_first, only_second, method); });
  PushTable(L, Field("only_first", only_first), Field("only_second", only_second),
            Field("statistic", test->statistic), Field("df", test->df), Field("p", test->p),
            Field("method", CheckText(L, 3)), Reason(test->undefined));
  return 1;
}

// native.cochran_q(entries, models): 1 or 0 per row and model, the models of a row next to each
// other.
stats::CochranTest CochranQOf(Integers<"the entries"> entries, std::int64_t models) {
  RequireArgument(models >= 0, 2, "a number of models expected");
  const std::vector<std::uint8_t> right(entries->begin(), entries->end());
  return stats::CochranQ(right, static_cast<std::size_t>(models));
}

void PushCochran(lua_State* L, const stats::CochranTest& test) {
  PushTable(L, Field("rows", test.rows), Field("correct", test.correct),
            Field("statistic", test.statistic), Field("df", test.df), Field("p", test.p),
            Reason(test.undefined));
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
  const Differences differences = ReadDifferences(L);
  auto* test = NewOwned<stats::SignedRankTest>(L);
  Try(L, [&] { *test = stats::SignedRank(*differences, options); });
  PushTable(L, Field("n", test->n), Field("zeros", test->zeros), Field("ties", test->ties),
            Field("r_plus", test->r_plus), Field("r_minus", test->r_minus),
            Field("statistic", test->statistic), Field("z", test->z), Field("p", test->p),
            Reason(test->undefined));
  if (test->defined) SetField(L, "method", test->exact ? "exact" : "normal");
  return 1;
}

// native.sign_test(differences, ties, tie_tolerance)
int SignTestOf(lua_State* L) {
  const auto ties = CheckChoice<stats::SignTies>(L, 2, kSignTies);
  const double tolerance = luaL_checknumber(L, 3);
  const Differences differences = ReadDifferences(L);
  auto* test = NewOwned<stats::SignTest>(L);
  Try(L, [&] { *test = stats::TestSigns(*differences, ties, tolerance); });
  PushTable(L, Field("plus", test->plus), Field("minus", test->minus), Field("ties", test->ties),
            Field("n", test->n), Field("p", test->p), Reason(test->undefined));
  return 1;
}

// native.adjust_p(p-values, method)
int AdjustPOf(lua_State* L) {
  const auto adjustment = CheckChoice<stats::Adjustment>(L, 2, stats::kAdjustmentNames);
  int at = 1;
  const auto p = Argument<Numbers<"the p-values">>::Read(L, at);
  const CancelToken* cancel = GetSession(L).cancel();
  return RunAndPush(L, [&] { return stats::AdjustP(*p, adjustment, cancel); });
}

}  // namespace

void OpenStatsPaired(lua_State* L) {
  AddFunctions(L, {{"accuracy_interval", AccuracyInterval},
                   {"two_proportions", TwoProportionsOf},
                   {"paired_t", PairedTOf},
                   {"five_by_two", Native<FiveByTwo, PushFiveByTwo>},
                   {"bayes_correlated_t", BayesCorrelatedTOf},
                   {"bayes_signed_rank", BayesSignedRankOf},
                   {"bayes_hierarchical", BayesHierarchicalOf},
                   {"mcnemar", McNemarOf},
                   {"cochran_q", Native<CochranQOf, PushCochran>},
                   {"wilcoxon", Wilcoxon},
                   {"sign_test", SignTestOf},
                   {"adjust_p", AdjustPOf}});
  SetField(L, "tie_tolerance", stats::kTieTolerance);
}

}  // namespace crossfold::lua
