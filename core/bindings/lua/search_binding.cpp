// Functions for searches: draws, smaller training sets and a clock.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>

#include "analysis/stats/distributions.h"
#include "bindings/lua/arguments.h"
#include "bindings/lua/draw_number.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "crossfold/pipeline.h"
#include "crossfold/split.h"
#include "crossfold_plugin/random.hpp"

namespace crossfold::lua {
namespace {

// native.family(learner): its name without the parameter that one fit serves with many values.
int Family(lua_State* L) {
  PipelineHandle& pipeline = CheckPipeline(L, 1);
  auto* name = NewOwned<std::string>(L);
  Try(L, [&] { *name = pipeline.pipeline->FamilyName(); });
  PushText(L, *name);
  return 1;
}

bool ReadFlag(lua_State* L, int index, const char* name) {
  lua_getfield(L, index, name);
  const bool flag = lua_toboolean(L, -1) != 0;
  lua_pop(L, 1);
  return flag;
}

// The range at argument 1.
RealRange CheckRange(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  RealRange range;
  lua_getfield(L, 1, "low");
  range.low = luaL_checknumber(L, -1);
  lua_getfield(L, 1, "high");
  range.high = luaL_checknumber(L, -1);
  range.low_open = ReadFlag(L, 1, "low_open");
  range.high_open = ReadFlag(L, 1, "high_open");
  range.log = ReadFlag(L, 1, "log");
  luaL_argcheck(L, std::isfinite(range.low) && std::isfinite(range.high) && range.low < range.high,
                1, "low < high, both finite");
  luaL_argcheck(L, !range.log || range.low > 0, 1, "low > 0 on the log scale");
  return range;
}

// native.draw_real({low =, high =, low_open =, high_open =, log =}, seed)
int DrawRealNumber(lua_State* L) {
  const auto seed = static_cast<std::uint64_t>(luaL_checkinteger(L, 2));
  const RealRange range = CheckRange(L);
  double drawn = 0;
  Try(L, [&] { drawn = DrawReal(range, seed); });
  lua_pushnumber(L, drawn);
  return 1;
}

double CheckShare(lua_State* L, int index) {
  const double share = luaL_checknumber(L, index);
  luaL_argcheck(L, share >= 0 && share <= 1, index, "a share in [0, 1]");
  return share;
}

// native.real_at({low =, high =, low_open =, high_open =, log =}, share): see RealAt.
int RealNumberAt(lua_State* L) {
  const double share = CheckShare(L, 2);
  lua_pushnumber(L, RealAt(CheckRange(L), share));
  return 1;
}

void CheckIntegerRange(lua_State* L) {
  const lua_Integer low = luaL_checkinteger(L, 1);
  const lua_Integer high = luaL_checkinteger(L, 2);
  luaL_argcheck(L, low <= high, 2, "low <= high");
  luaL_argcheck(L, low > INT64_MIN || high < INT64_MAX, 2, "too many numbers");
  luaL_argcheck(L, lua_toboolean(L, 3) == 0 || low >= 1, 1, "low >= 1 on the log scale");
}

// native.draw_integer(low, high, log, seed)
int DrawIntegerNumber(lua_State* L) {
  CheckIntegerRange(L);
  const auto seed = static_cast<std::uint64_t>(luaL_checkinteger(L, 4));
  lua_pushinteger(
      L, DrawInteger(lua_tointeger(L, 1), lua_tointeger(L, 2), lua_toboolean(L, 3) != 0, seed));
  return 1;
}

// native.integer_at(low, high, log, share): see IntegerAt.
int IntegerNumberAt(lua_State* L) {
  CheckIntegerRange(L);
  const double share = CheckShare(L, 4);
  lua_pushinteger(
      L, IntegerAt(lua_tointeger(L, 1), lua_tointeger(L, 2), lua_toboolean(L, 3) != 0, share));
  return 1;
}

// native.uniforms(n, seed): n numbers in [0, 1).
int Uniforms(lua_State* L) {
  const lua_Integer n = luaL_checkinteger(L, 1);
  plugin::Random random(static_cast<std::uint64_t>(luaL_checkinteger(L, 2)));
  lua_newtable(L);
  for (lua_Integer i = 1; i <= n; ++i) {
    lua_pushnumber(L, random.Uniform());
    lua_rawseti(L, -2, i);
  }
  return 1;
}

// native.normal_cdf(x)
int NormalCdfAt(lua_State* L) {
  lua_pushnumber(L, stats::NormalCdf(luaL_checknumber(L, 1)));
  return 1;
}

// native.normal_quantile(p), 0 < p < 1
int NormalQuantileAt(lua_State* L) {
  const double p = luaL_checknumber(L, 1);
  luaL_argcheck(L, p > 0 && p < 1, 1, "a probability between 0 and 1");
  lua_pushnumber(L, stats::NormalQuantile(p));
  return 1;
}

// native.shrink(splits, share, seed): see ShrinkTraining.
int Shrink(lua_State* L) {
  SplitsHandle& splits = CheckSplits(L, 1);
  const double share = luaL_checknumber(L, 2);
  const auto seed = static_cast<std::uint64_t>(luaL_checkinteger(L, 3));
  luaL_argcheck(L, share > 0 && share <= 1, 2, "a share in (0, 1]");
  auto* handle = NewOwned<SplitsHandle>(L);
  Try(L, [&] { handle->plan = ShrinkTraining(*splits.plan, share, seed); });
  return 1;
}

// native.seconds(): a monotonic clock with any start.
int ClockSeconds(lua_State* L) {
  using Clock = std::chrono::steady_clock;
  lua_pushnumber(L, std::chrono::duration<double>(Clock::now().time_since_epoch()).count());
  return 1;
}

}  // namespace

void OpenSearches(lua_State* L) {
  static constexpr luaL_Reg kFunctions[] = {{"family", Family},
                                            {"draw_real", DrawRealNumber},
                                            {"real_at", RealNumberAt},
                                            {"draw_integer", DrawIntegerNumber},
                                            {"integer_at", IntegerNumberAt},
                                            {"uniforms", Uniforms},
                                            {"normal_cdf", NormalCdfAt},
                                            {"normal_quantile", NormalQuantileAt},
                                            {"shrink", Shrink},
                                            {"seconds", ClockSeconds},
                                            {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
