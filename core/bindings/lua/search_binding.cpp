// Functions for searches: draws, smaller training sets and a clock.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>

#include "analysis/stats/distributions.h"
#include "bindings/lua/draw_number.h"
#include "bindings/lua/native.h"
#include "crossfold/pipeline.h"
#include "crossfold/split.h"
#include "crossfold_plugin/random.hpp"

namespace crossfold::lua {
namespace {

// native.family(learner): its name without the parameter that one fit serves with many values.
std::string Family(const PipelineHandle& learner) { return learner.pipeline->FamilyName(); }

// native.definition(spec): its name without values that are the defaults.
std::string Definition(const SpecHandle& handle) { return DefinitionOf(*handle.spec, 0); }

// The range at argument 1.
RealRange CheckRange(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  const RealRange range{.low = NumberField(L, 1, "low"),
                        .high = NumberField(L, 1, "high"),
                        .low_open = FlagField(L, 1, "low_open"),
                        .high_open = FlagField(L, 1, "high_open"),
                        .log = FlagField(L, 1, "log")};
  luaL_argcheck(L, std::isfinite(range.low) && std::isfinite(range.high) && range.low < range.high,
                1, "low < high, both finite");
  luaL_argcheck(L, !range.log || range.low > 0, 1, "low > 0 on the log scale");
  return range;
}

// native.draw_real({low =, high =, low_open =, high_open =, log =}, seed)
int DrawRealNumber(lua_State* L) {
  const auto seed = static_cast<std::uint64_t>(luaL_checkinteger(L, 2));
  const RealRange range = CheckRange(L);
  return RunAndPush(L, [&] { return DrawReal(range, seed); });
}

// native.real_at({low =, high =, low_open =, high_open =, log =}, share): see RealAt.
int RealNumberAt(lua_State* L) {
  const double share = luaL_checknumber(L, 2);
  luaL_argcheck(L, share >= 0 && share <= 1, 2, "a share in [0, 1]");
  lua_pushnumber(L, RealAt(CheckRange(L), share));
  return 1;
}

void RequireIntegerRange(std::int64_t low, std::int64_t high, bool log) {
  RequireArgument(low <= high, 2, "low <= high");
  RequireArgument(low > INT64_MIN || high < INT64_MAX, 2, "too many numbers");
  RequireArgument(!log || low >= 1, 1, "low >= 1 on the log scale");
}

// native.draw_integer(low, high, log, seed)
std::int64_t DrawIntegerNumber(std::int64_t low, std::int64_t high, bool log, std::uint64_t seed) {
  RequireIntegerRange(low, high, log);
  return DrawInteger(low, high, log, seed);
}

// native.integer_at(low, high, log, share): see IntegerAt.
std::int64_t IntegerNumberAt(std::int64_t low, std::int64_t high, bool log, double share) {
  RequireIntegerRange(low, high, log);
  RequireArgument(share >= 0 && share <= 1, 4, "a share in [0, 1]");
  return IntegerAt(low, high, log, share);
}

// native.uniforms(n, seed): n numbers in [0, 1).
std::vector<double> Uniforms(std::int64_t n, std::uint64_t seed) {
  plugin::Random random(seed);
  std::vector<double> drawn;
  for (std::int64_t i = 0; i < n; ++i) drawn.push_back(random.Uniform());
  return drawn;
}

// native.normal_quantile(p), 0 < p < 1
double NormalQuantileAt(double p) {
  RequireArgument(p > 0 && p < 1, 1, "a probability between 0 and 1");
  return stats::NormalQuantile(p);
}

// native.shrink(splits, share, seed): see ShrinkTraining.
SplitsHandle Shrink(const SplitsHandle& splits, double share, std::uint64_t seed) {
  RequireArgument(share > 0 && share <= 1, 2, "a share in (0, 1]");
  return {ShrinkTraining(*splits.plan, share, seed)};
}

// native.seconds(): a monotonic clock with any start.
double ClockSeconds() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

}  // namespace

void OpenSearches(lua_State* L) {
  AddFunctions(L, {{"family", Native<Family>},
                   {"definition", Native<Definition>},
                   {"draw_real", DrawRealNumber},
                   {"real_at", RealNumberAt},
                   {"draw_integer", Native<DrawIntegerNumber>},
                   {"integer_at", Native<IntegerNumberAt>},
                   {"uniforms", Native<Uniforms>},
                   {"normal_cdf", Native<stats::NormalCdf>},
                   {"normal_quantile", Native<NormalQuantileAt>},
                   {"shrink", Native<Shrink>},
                   {"seconds", Native<ClockSeconds>}});
}

}  // namespace crossfold::lua
