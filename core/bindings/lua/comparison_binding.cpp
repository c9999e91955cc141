// What cf.compare needs in addition to cf.stats.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "bindings/lua/native.h"
#include "crossfold/stats/paired_proportions.h"
#include "crossfold/stats/t_test.h"
#include "crossfold/stats/unpaired_t.h"
#include "crossfold/summary.h"

namespace crossfold::lua {
namespace {

// native.agreement(prediction, prediction): rows, rows on which only the first is right, rows on
// which only the second is.
std::tuple<std::int64_t, std::int64_t, std::int64_t> CountAgreement(
    const PredictionHandle& first, const PredictionHandle& second) {
  const Prediction& a = *first.prediction;
  const Prediction& b = *second.prediction;
  if (first.truth == nullptr || second.truth == nullptr ||
      first.truth->content_hash() != second.truth->content_hash() || a.rows != b.rows ||
      a.labels.size() != a.rows.size() || b.labels.size() != b.rows.size()) {
    throw Error(ErrorKind::kInvalidArgument,
                "cannot compare predictions row by row: they are not for the same rows");
  }
  std::int64_t only_first = 0, only_second = 0;
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    const std::int32_t truth = first.truth->labels()[static_cast<std::size_t>(a.rows[i])];
    const bool right_a = a.labels[i] == truth;
    const bool right_b = b.labels[i] == truth;
    if (right_a && !right_b) ++only_first;
    if (right_b && !right_a) ++only_second;
  }
  return {static_cast<std::int64_t>(a.rows.size()), only_first, only_second};
}

// native.paired_proportions(only_first, only_second, n, confidence): {difference =, low =, high =}.
stats::PairedProportions PairedProportionsOf(std::int64_t only_first, std::int64_t only_second,
                                             std::int64_t n, double confidence) {
  return stats::ComparePaired(only_first, only_second, n, confidence);
}

void PushProportions(lua_State* L, const stats::PairedProportions& result) {
  PushTable(L, Field("difference", result.difference), Field("low", result.low),
            Field("high", result.high), Reason(result.undefined));
}

// native.unpaired_t(scores, scores, ratio, ratio, distinct, distinct, confidence)
stats::UnpairedT UnpairedTOf(Numbers<"the scores"> first, Numbers<"the scores"> second,
                             double first_ratio, double second_ratio, std::int64_t first_distinct,
                             std::int64_t second_distinct, double confidence) {
  return stats::CompareUnpaired({*first, first_ratio, first_distinct},
                                {*second, second_ratio, second_distinct}, confidence);
}

void PushUnpairedT(lua_State* L, const stats::UnpairedT& t) {
  PushTable(L, Field("difference", t.difference), Field("statistic", t.statistic),
            Field("df", t.df), Field("p", t.p), Field("low", t.low), Field("high", t.high),
            Reason(t.undefined));
}

// The scores of learners on the splits of one dataset, and the places of pairs among the learners.
struct PairedScores {
  std::vector<std::vector<double>> of_learner;  // one per split; NaN = none
  std::vector<std::int64_t> n_train, n_test;    // rows of each split
  std::vector<std::int64_t> same_as;            // of each split the first with these rows
  std::vector<std::int64_t> first, second;      // from 1
  std::int64_t units = 0;                       // groups or rows
  double equal_means = 0;  // means whose relative difference is at most this are equal
};

struct PairTest {
  std::int64_t splits = 0;              // in which both have a score
  std::optional<double> difference, p;  // nullopt = there is no test
};

bool HasInfinite(const std::vector<double>& scores) {
  return std::ranges::any_of(scores, [](double score) { return std::isinf(score); });
}

bool AreEqual(double a, double b, double tolerance) {
  return std::fabs(a - b) <= tolerance * std::max(std::fabs(a), std::fabs(b));
}

// The corrected t test of one pair, as in compare/tests.lua.
PairTest TestPair(const PairedScores& scores, std::size_t pair) {
  const auto& a = scores.of_learner.at(static_cast<std::size_t>(scores.first[pair] - 1));
  const auto& b = scores.of_learner.at(static_cast<std::size_t>(scores.second[pair] - 1));
  PairTest test;
  std::vector<double> of_a, of_b, differences;
  for (auto* list : {&of_a, &of_b, &differences}) list->reserve(scores.n_train.size());
  std::int64_t n_train = 0, n_test = 0;
  std::set<std::int64_t> distinct;
  for (std::size_t s = 0; s < scores.n_train.size(); ++s) {
    if (std::isnan(a.at(s)) || std::isnan(b.at(s))) continue;
    of_a.push_back(a[s]);
    of_b.push_back(b[s]);
    differences.push_back(a[s] - b[s]);
    n_train += scores.n_train[s];
    n_test += scores.n_test.at(s);
    distinct.insert(scores.same_as.at(s));
  }
  test.splits = static_cast<std::int64_t>(differences.size());
  if (test.splits < 2) return test;
  const stats::TTest t =
      stats::CorrectedT(differences, static_cast<double>(n_test) / static_cast<double>(n_train),
                        std::nullopt, std::min<std::int64_t>(std::ssize(distinct), scores.units));
  if (std::isnan(t.p) || (!t.defined && t.p == 0)) return test;
  const bool is_settled = t.defined && AreEqual(MeanOf(of_a), MeanOf(of_b), scores.equal_means);
  test.difference = is_settled ? 0.0 : t.mean;
  test.p = is_settled ? 1.0 : t.p;
  return test;
}

std::vector<PairTest> TestPairs(const PairedScores& scores) {
  std::vector<char> is_infinite;
  for (const auto& one : scores.of_learner) is_infinite.push_back(HasInfinite(one) ? 1 : 0);
  std::vector<PairTest> tests(scores.first.size());
  for (std::size_t i = 0; i < tests.size(); ++i) {
    if (is_infinite.at(static_cast<std::size_t>(scores.first[i] - 1)) == 0 &&
        is_infinite.at(static_cast<std::size_t>(scores.second.at(i) - 1)) == 0) {
      tests[i] = TestPair(scores, i);
    }
  }
  return tests;
}

void PushOptional(lua_State* L, const std::optional<double>& number) {
  if (number) {
    lua_pushnumber(L, *number);
  } else {
    lua_pushboolean(L, 0);
  }
}

// native.corrected_t_of_pairs({ scores of a learner, ... }, n_train, n_test, same_as, first,
// second, equal_means, units), where a NaN means "no score" and n_train, n_test, same_as are lists
// by split: of each pair of learners first[i], second[i] the p-value of the corrected t, the mean
// difference (both false where there is no test), and the number of splits in which both have a
// score.
int CorrectedTOfPairs(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  auto* scores = NewOwned<PairedScores>(L);
  ReadNumberLists(L, 1, "the scores of learner", scores->of_learner);
  ReadIntegers(L, 2, "the training rows", scores->n_train);
  ReadIntegers(L, 3, "the test rows", scores->n_test);
  ReadIntegers(L, 4, "the splits that are the same", scores->same_as);
  ReadIntegers(L, 5, "the first learners", scores->first);
  ReadIntegers(L, 6, "the second learners", scores->second);
  scores->equal_means = luaL_checknumber(L, 7);
  scores->units = luaL_checkinteger(L, 8);
  auto* tests = NewOwned<std::vector<PairTest>>(L);
  Try(L, [&] { *tests = TestPairs(*scores); });
  PushList(L, *tests, [L](const PairTest& test) { PushOptional(L, test.p); });
  PushList(L, *tests, [L](const PairTest& test) { PushOptional(L, test.difference); });
  PushList(L, *tests, [L](const PairTest& test) { lua_pushinteger(L, test.splits); });
  return 3;
}

}  // namespace

void OpenComparisons(lua_State* L) {
  AddFunctions(L, {{"agreement", Native<CountAgreement>},
                   {"paired_proportions", Native<PairedProportionsOf, PushProportions>},
                   {"unpaired_t", Native<UnpairedTOf, PushUnpairedT>},
                   {"corrected_t_of_pairs", CorrectedTOfPairs}});
}

}  // namespace crossfold::lua
