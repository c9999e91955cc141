// Parts of the error over several models.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bindings/lua/handles.h"
#include "bindings/lua/stats_fields.h"
#include "crossfold/stats/bias_variance.h"

namespace crossfold::lua {
namespace {

void SetDomingos(lua_State* L, const stats::DomingosParts& parts) {
  lua_createtable(L, 0, 5);
  SetNumber(L, "bias", parts.bias);
  SetNumber(L, "variance", parts.variance);
  SetNumber(L, "unbiased", parts.unbiased);
  SetNumber(L, "biased", parts.biased);
  SetNumber(L, "net", parts.net);
  lua_setfield(L, -2, "domingos");
}

void SetKohaviWolpert(lua_State* L, const char* name, const stats::KohaviWolpertParts& parts,
                      const std::string& reason) {
  lua_createtable(L, 0, 3);
  SetNumber(L, "squared_bias", parts.squared_bias);
  SetNumber(L, "variance", parts.variance);
  SetReason(L, reason);
  lua_setfield(L, -2, name);
}

void SetRows(lua_State* L, const std::vector<stats::ZeroOneRow>& rows) {
  lua_createtable(L, static_cast<int>(rows.size()), 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const stats::ZeroOneRow& row = rows[i];
    lua_createtable(L, 0, 7);
    SetInteger(L, "main", row.main);
    lua_pushboolean(L, row.biased ? 1 : 0);
    lua_setfield(L, -2, "biased");
    SetNumber(L, "error", row.error);
    SetNumber(L, "variance", row.variance);
    SetNumber(L, "net_variance", row.net_variance);
    SetNumber(L, "squared_bias", row.squared_bias);
    SetNumber(L, "spread", row.spread);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
  lua_setfield(L, -2, "per_row");
}

void SetSquaredRows(lua_State* L, const std::vector<stats::SquaredRow>& rows) {
  lua_createtable(L, static_cast<int>(rows.size()), 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    lua_createtable(L, 0, 4);
    SetNumber(L, "mean", rows[i].mean);
    SetNumber(L, "error", rows[i].error);
    SetNumber(L, "squared_bias", rows[i].squared_bias);
    SetNumber(L, "variance", rows[i].variance);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
  lua_setfield(L, -2, "per_row");
}

// native.stats_zero_one_parts(truth, predictions): class numbers; `main` of a row is one.
int ZeroOnePartsOf(lua_State* L) {
  luaL_checktype(L, 2, LUA_TTABLE);
  auto* truth = NewOwned<std::vector<std::int64_t>>(L);
  ReadIntegers(L, 1, "the truth", *truth);
  auto* predictions = NewOwned<std::vector<std::vector<std::int64_t>>>(L);
  const lua_Integer models = luaL_len(L, 2);
  for (lua_Integer l = 1; l <= models; ++l) {
    lua_geti(L, 2, l);
    Try(L, [&] { predictions->emplace_back(); });
    ReadIntegers(L, -1, "the predictions of a model", predictions->back());
    lua_pop(L, 1);
  }
  auto* parts = NewOwned<stats::ZeroOneParts>(L);
  Try(L, [&] { *parts = stats::DecomposeZeroOne(*truth, *predictions); });
  lua_createtable(L, 0, 7);
  SetInteger(L, "rows", parts->rows);
  SetInteger(L, "models", parts->models);
  SetNumber(L, "error", parts->error);
  SetDomingos(L, parts->domingos);
  SetKohaviWolpert(L, "kohavi_wolpert", parts->kohavi_wolpert, "");
  SetKohaviWolpert(L, "kohavi_wolpert_unbiased", parts->kohavi_wolpert_unbiased,
                   parts->unbiased_undefined);
  SetRows(L, parts->per_row);
  return 1;
}

// native.stats_squared_parts(truth, predictions)
int SquaredPartsOf(lua_State* L) {
  luaL_checktype(L, 2, LUA_TTABLE);
  auto* truth = NewOwned<std::vector<double>>(L);
  ReadNumbers(L, 1, "the truth", *truth);
  auto* predictions = NewOwned<std::vector<std::vector<double>>>(L);
  ReadNumberLists(L, 2, "the predictions of model", *predictions);
  auto* parts = NewOwned<stats::SquaredParts>(L);
  Try(L, [&] { *parts = stats::DecomposeSquared(*truth, *predictions); });
  lua_createtable(L, 0, 6);
  SetInteger(L, "rows", parts->rows);
  SetInteger(L, "models", parts->models);
  SetNumber(L, "error", parts->error);
  SetNumber(L, "squared_bias", parts->squared_bias);
  SetNumber(L, "variance", parts->variance);
  SetSquaredRows(L, parts->per_row);
  return 1;
}

}  // namespace

void OpenStatsBiasVariance(lua_State* L) {
  static constexpr luaL_Reg kFunctions[] = {{"stats_zero_one_parts", ZeroOnePartsOf},
                                            {"stats_squared_parts", SquaredPartsOf},
                                            {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
