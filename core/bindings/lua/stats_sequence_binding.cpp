// cf.stats: means and proportions of rows that are seen one after the other.
#include <cstdint>
#include <vector>

#include "bindings/lua/handles.h"
#include "bindings/lua/session.h"
#include "bindings/lua/stats_fields.h"
#include "crossfold/stats/confidence_sequence.h"

namespace crossfold::lua {
namespace {

// native.stats_normal_mixture_boundary(variance, alpha, best_at)
int NormalMixtureBoundaryOf(lua_State* L) {
  const double variance = luaL_checknumber(L, 1), alpha = luaL_checknumber(L, 2);
  const double best_at = luaL_checknumber(L, 3);
  double boundary = 0;
  Try(L, [&] { boundary = stats::NormalMixtureBoundary(variance, alpha, best_at); });
  lua_pushnumber(L, boundary);
  return 1;
}

// native.stats_proportion_sequence(successes, trials, best_at, confidence): low, high
int ProportionSequenceOf(lua_State* L) {
  const lua_Integer successes = luaL_checkinteger(L, 1), trials = luaL_checkinteger(L, 2);
  const double best_at = luaL_checknumber(L, 3), confidence = luaL_checknumber(L, 4);
  stats::MeanInterval interval;
  Try(L, [&] { interval = stats::ProportionSequence(successes, trials, best_at, confidence); });
  lua_pushnumber(L, interval.low);
  lua_pushnumber(L, interval.high);
  return 2;
}

// native.stats_sequential_mean(differences, largest, confidence)
int SequentialMeanOf(lua_State* L) {
  auto* differences = NewOwned<std::vector<double>>(L);
  ReadNumbers(L, 1, "the differences", *differences);
  const double largest = luaL_checknumber(L, 2), confidence = luaL_checknumber(L, 3);
  const CancelToken* cancel = GetSession(L).cancel();
  stats::SequentialMean found;
  Try(L, [&] { found = stats::TestSequentially(*differences, largest, confidence, cancel); });
  lua_createtable(L, 0, 7);
  SetInteger(L, "n", found.n);
  SetNumber(L, "mean", found.mean);
  // Limits that have crossed say that the differences are not draws with one mean.
  if (found.low <= found.high) {
    SetNumber(L, "low", found.low);
    SetNumber(L, "high", found.high);
  }
  SetNumber(L, "evidence", found.evidence);
  SetNumber(L, "p", found.p);
  if (found.decided > 0) SetInteger(L, "decided", found.decided);
  return 1;
}

}  // namespace

void OpenStatsSequence(lua_State* L) {
  static constexpr luaL_Reg kFunctions[] = {
      {"stats_normal_mixture_boundary", NormalMixtureBoundaryOf},
      {"stats_proportion_sequence", ProportionSequenceOf},
      {"stats_sequential_mean", SequentialMeanOf},
      {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
