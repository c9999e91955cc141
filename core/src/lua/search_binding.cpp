// What searches need of the host: declared parameters, draws, smaller training sets and a clock.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "crossfold/pipeline.h"
#include "crossfold/split.h"
#include "lua/arguments.h"
#include "lua/handles.h"
#include "lua/protect.h"
#include "plan/draw_number.h"

namespace crossfold::lua {
namespace {

const char* TypeName(std::int32_t type) {
  switch (type) {
    case CF_P_REAL:
      return "real";
    case CF_P_INT:
      return "integer";
    case CF_P_BOOL:
      return "boolean";
    case CF_P_CHOICE:
      return "choice";
    case CF_P_STRING:
      return "string";
    default:
      return "list";
  }
}

// Sets low and high of the table on top of the stack; a bound that does not exist is left out.
void SetBounds(lua_State* L, const ParamSpec& param) {
  if (param.type == CF_P_INT) {
    using Limits = std::numeric_limits<std::int64_t>;
    if (param.ilo != Limits::min()) {
      lua_pushinteger(L, param.ilo);
      lua_setfield(L, -2, "low");
    }
    if (param.ihi != Limits::max()) {
      lua_pushinteger(L, param.ihi);
      lua_setfield(L, -2, "high");
    }
  } else if (param.type == CF_P_REAL) {
    if (std::isfinite(param.lo)) SetNumber(L, "low", param.lo);
    if (std::isfinite(param.hi)) SetNumber(L, "high", param.hi);
  }
}

// native.declared_param(learner, name): {type =, low =, high =, low_open =, high_open =, log =,
// choices =, active_if =, text =} of what try_with would change, or nil and why there is no such
// one.
int DeclaredParam(lua_State* L) {
  PipelineHandle& pipeline = CheckPipeline(L, 1);
  std::size_t size = 0;
  const char* given = luaL_checklstring(L, 2, &size);
  auto* text = NewOwned<std::string>(L);
  Pipeline::Param found;
  ErrorText error;
  if (!Protect(error, [&] {
        found = pipeline.pipeline->Find(std::string(given, size));
        *text = Describe(*found.spec);
      })) {
    lua_pushnil(L);
    lua_pushstring(L, error.text);
    return 2;
  }
  const ParamSpec& param = *found.spec;
  lua_newtable(L);
  lua_pushstring(L, TypeName(param.type));
  lua_setfield(L, -2, "type");
  SetBounds(L, param);
  SetFlag(L, "low_open", (param.flags & CF_PF_LO_OPEN) != 0);
  SetFlag(L, "high_open", (param.flags & CF_PF_HI_OPEN) != 0);
  SetFlag(L, "log", (param.flags & CF_PF_LOG) != 0);
  if (param.type == CF_P_CHOICE) {
    PushTexts(L, param.choices);
    lua_setfield(L, -2, "choices");
  }
  if (!param.active_if.empty()) SetText(L, "active_if", param.active_if);
  SetText(L, "text", *text);
  return 1;
}

// native.family(learner): its name without what one fit serves at once.
int Family(lua_State* L) {
  PipelineHandle& pipeline = CheckPipeline(L, 1);
  auto* name = NewOwned<std::string>(L);
  Try(L, [&] { *name = pipeline.pipeline->FamilyName(); });
  PushText(L, *name);
  return 1;
}

// native.active_params(learner, params): `params` without those that the others make inactive.
int ActiveParams(lua_State* L) {
  PipelineHandle& pipeline = CheckPipeline(L, 1);
  lua_settop(L, 2);
  auto* params = NewOwned<ParamValues>(L);
  ReadParams(L, 2, *params);
  auto* active = NewOwned<ParamValues>(L);
  Try(L, [&] { *active = pipeline.pipeline->WithoutInactive(*params); });
  lua_newtable(L);
  for (const auto& [name, value] : *active) {
    PushText(L, name);
    lua_getfield(L, 2, name.c_str());  // as the script wrote it
    lua_rawset(L, -3);
  }
  return 1;
}

bool ReadFlag(lua_State* L, int index, const char* name) {
  lua_getfield(L, index, name);
  const bool flag = lua_toboolean(L, -1) != 0;
  lua_pop(L, 1);
  return flag;
}

// native.draw_real({low =, high =, low_open =, high_open =, log =}, seed)
int DrawRealNumber(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  const auto seed = static_cast<std::uint64_t>(luaL_checkinteger(L, 2));
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
  double drawn = 0;
  Try(L, [&] { drawn = DrawReal(range, seed); });
  lua_pushnumber(L, drawn);
  return 1;
}

// native.draw_integer(low, high, log, seed)
int DrawIntegerNumber(lua_State* L) {
  const lua_Integer low = luaL_checkinteger(L, 1);
  const lua_Integer high = luaL_checkinteger(L, 2);
  const bool log = lua_toboolean(L, 3) != 0;
  const auto seed = static_cast<std::uint64_t>(luaL_checkinteger(L, 4));
  luaL_argcheck(L, low <= high, 2, "low <= high");
  luaL_argcheck(L, low > INT64_MIN || high < INT64_MAX, 2, "too many numbers");
  luaL_argcheck(L, !log || low >= 1, 1, "low >= 1 on the log scale");
  lua_pushinteger(L, DrawInteger(low, high, log, seed));
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

// native.seconds(): a clock that never goes back, from any start.
int ClockSeconds(lua_State* L) {
  using Clock = std::chrono::steady_clock;
  lua_pushnumber(L, std::chrono::duration<double>(Clock::now().time_since_epoch()).count());
  return 1;
}

}  // namespace

void OpenSearches(lua_State* L) {
  static constexpr luaL_Reg kFunctions[] = {{"declared_param", DeclaredParam},
                                            {"active_params", ActiveParams},
                                            {"family", Family},
                                            {"draw_real", DrawRealNumber},
                                            {"draw_integer", DrawIntegerNumber},
                                            {"shrink", Shrink},
                                            {"seconds", ClockSeconds},
                                            {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
