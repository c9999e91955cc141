// The sources of the variance of scores, and the mean of bounded values with an interval for all
// times.
#include <cstdint>
#include <vector>

#include "bindings/lua/handles.h"
#include "bindings/lua/stats_fields.h"
#include "crossfold/stats/betting_interval.h"
#include "crossfold/stats/nested_variance.h"

namespace crossfold::lua {
namespace {

void SetComponents(lua_State* L, const std::vector<stats::VarianceComponent>& components) {
  lua_createtable(L, static_cast<int>(components.size()), 0);
  for (std::size_t i = 0; i < components.size(); ++i) {
    const stats::VarianceComponent& component = components[i];
    lua_createtable(L, 0, 7);
    SetInteger(L, "units", component.units);
    SetNumber(L, "df", component.df);
    SetNumber(L, "mean_square", component.mean_square);
    SetNumber(L, "estimate", component.estimate);
    SetNumber(L, "standard_error", component.standard_error);
    SetNumber(L, "low", component.low);
    SetNumber(L, "high", component.high);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
  lua_setfield(L, -2, "components");
}

// native.stats_nested_variance(scores, units, confidence)
int NestedVarianceOf(lua_State* L) {
  auto* scores = NewOwned<std::vector<double>>(L);
  ReadNumbers(L, 1, "the scores", *scores);
  auto* units = NewOwned<std::vector<std::int64_t>>(L);
  ReadIntegers(L, 2, "the units", *units);
  const double confidence = luaL_checknumber(L, 3);
  auto* found = NewOwned<stats::NestedVariance>(L);
  Try(L, [&] { *found = stats::EstimateNestedVariance(*scores, *units, confidence); });
  lua_createtable(L, 0, 4);
  SetNumber(L, "mean", found->mean);
  SetNumber(L, "mean_standard_error", found->mean_standard_error);
  SetNumber(L, "mean_df", found->mean_df);
  SetComponents(L, found->components);
  return 1;
}

// native.stats_betting_interval(values, least, most, confidence): low, high
int BettingIntervalOf(lua_State* L) {
  auto* values = NewOwned<std::vector<double>>(L);
  ReadNumbers(L, 1, "the values", *values);
  const double least = luaL_checknumber(L, 2), most = luaL_checknumber(L, 3);
  const double confidence = luaL_checknumber(L, 4);
  stats::MeanInterval interval;
  Try(L, [&] { interval = stats::BettingInterval(*values, least, most, confidence); });
  lua_pushnumber(L, interval.low);
  lua_pushnumber(L, interval.high);
  return 2;
}

}  // namespace

void OpenStatsVariance(lua_State* L) {
  static constexpr luaL_Reg kFunctions[] = {{"stats_nested_variance", NestedVarianceOf},
                                            {"stats_betting_interval", BettingIntervalOf},
                                            {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
  SetNumber(L, "largest_bet", stats::kLargestBet);
}

}  // namespace crossfold::lua
