// What cf.compare needs beside cf.stats.
#include <cstdint>
#include <vector>

#include "crossfold/stats/paired_proportions.h"
#include "crossfold/stats/unpaired_t.h"
#include "lua/arguments.h"
#include "lua/handles.h"
#include "lua/protect.h"

namespace crossfold::lua {
namespace {

// On how many rows which of two predictions is right.
struct Agreement {
  std::int64_t n = 0, only_first = 0, only_second = 0;
};

Agreement CountAgreement(const PredictionHandle& first, const PredictionHandle& second) {
  const Prediction& a = *first.prediction;
  const Prediction& b = *second.prediction;
  if (first.truth == nullptr || second.truth == nullptr ||
      first.truth->content_hash() != second.truth->content_hash() || a.rows != b.rows ||
      a.labels.size() != a.rows.size() || b.labels.size() != b.rows.size()) {
    throw Error(ErrorKind::kInvalidArgument,
                "cannot compare predictions row by row: they are not for the same rows");
  }
  Agreement agreement;
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    const std::int32_t truth = first.truth->labels()[static_cast<std::size_t>(a.rows[i])];
    const bool right_a = a.labels[i] == truth;
    const bool right_b = b.labels[i] == truth;
    ++agreement.n;
    if (right_a && !right_b) ++agreement.only_first;
    if (right_b && !right_a) ++agreement.only_second;
  }
  return agreement;
}

// native.agreement(prediction, prediction): rows, rows on which only the first is right, rows on
// which only the second is.
int AgreementOf(lua_State* L) {
  const PredictionHandle& a = CheckPrediction(L, 1);
  const PredictionHandle& b = CheckPrediction(L, 2);
  Agreement agreement;
  Try(L, [&] { agreement = CountAgreement(a, b); });
  lua_pushinteger(L, agreement.n);
  lua_pushinteger(L, agreement.only_first);
  lua_pushinteger(L, agreement.only_second);
  return 3;
}

// native.paired_proportions(only_first, only_second, n, confidence): {difference =, low =, high =}.
int PairedProportionsOf(lua_State* L) {
  const lua_Integer only_first = luaL_checkinteger(L, 1);
  const lua_Integer only_second = luaL_checkinteger(L, 2);
  const lua_Integer n = luaL_checkinteger(L, 3);
  const double confidence = luaL_checknumber(L, 4);
  auto* result = NewOwned<stats::PairedProportions>(L);
  Try(L, [&] { *result = stats::ComparePaired(only_first, only_second, n, confidence); });
  lua_createtable(L, 0, 4);
  SetNumber(L, "difference", result->difference);
  SetNumber(L, "low", result->low);
  SetNumber(L, "high", result->high);
  if (!result->defined) SetText(L, "undefined", result->undefined);
  return 1;
}

// native.unpaired_t(scores, scores, ratio, ratio, confidence)
int UnpairedTOf(lua_State* L) {
  auto* first = NewOwned<std::vector<double>>(L);
  auto* second = NewOwned<std::vector<double>>(L);
  ReadNumbers(L, 1, "the scores", *first);
  ReadNumbers(L, 2, "the scores", *second);
  const double first_ratio = luaL_checknumber(L, 3);
  const double second_ratio = luaL_checknumber(L, 4);
  const double confidence = luaL_checknumber(L, 5);
  auto* t = NewOwned<stats::UnpairedT>(L);
  Try(L,
      [&] { *t = stats::CompareUnpaired(*first, *second, first_ratio, second_ratio, confidence); });
  lua_createtable(L, 0, 7);
  SetNumber(L, "difference", t->difference);
  SetNumber(L, "statistic", t->statistic);
  SetNumber(L, "df", t->df);
  SetNumber(L, "p", t->p);
  SetNumber(L, "low", t->low);
  SetNumber(L, "high", t->high);
  if (!t->defined) SetText(L, "undefined", t->undefined);
  return 1;
}

}  // namespace

void OpenComparisons(lua_State* L) {
  static constexpr luaL_Reg kFunctions[] = {{"agreement", AgreementOf},
                                            {"paired_proportions", PairedProportionsOf},
                                            {"unpaired_t", UnpairedTOf},
                                            {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
