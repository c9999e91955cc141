// Parts of the error over several models, and sources of the variance of scores.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bindings/lua/native.h"
#include "crossfold/stats/bias_variance.h"
#include "crossfold/stats/nested_variance.h"

namespace crossfold::lua {
namespace {

void SetKohaviWolpert(lua_State* L, const char* name, const stats::KohaviWolpertParts& parts,
                      const std::string& reason) {
  SetTable(L, name, Field("squared_bias", parts.squared_bias), Field("variance", parts.variance),
           Reason(reason));
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
  PushTable(L, Field("rows", parts->rows), Field("models", parts->models),
            Field("error", parts->error));
  const stats::DomingosParts& domingos = parts->domingos;
  SetTable(L, "domingos", Field("bias", domingos.bias), Field("variance", domingos.variance),
           Field("unbiased", domingos.unbiased), Field("biased", domingos.biased),
           Field("net", domingos.net));
  SetKohaviWolpert(L, "kohavi_wolpert", parts->kohavi_wolpert, "");
  SetKohaviWolpert(L, "kohavi_wolpert_unbiased", parts->kohavi_wolpert_unbiased,
                   parts->unbiased_undefined);
  SetList(L, "per_row", parts->per_row, [L](const stats::ZeroOneRow& row) {
    PushTable(L, Field("main", row.main), Field("biased", row.biased), Field("error", row.error),
              Field("variance", row.variance), Field("net_variance", row.net_variance),
              Field("squared_bias", row.squared_bias), Field("spread", row.spread));
  });
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
  PushTable(L, Field("rows", parts->rows), Field("models", parts->models),
            Field("error", parts->error), Field("squared_bias", parts->squared_bias),
            Field("variance", parts->variance));
  SetList(L, "per_row", parts->per_row, [L](const stats::SquaredRow& row) {
    PushTable(L, Field("mean", row.mean), Field("error", row.error),
              Field("squared_bias", row.squared_bias), Field("variance", row.variance));
  });
  return 1;
}

// native.stats_nested_variance(scores, units, confidence)
stats::NestedVariance NestedVarianceOf(Numbers<"the scores"> scores, Integers<"the units"> units,
                                       double confidence) {
  return stats::EstimateNestedVariance(*scores, *units, confidence);
}

void PushVariance(lua_State* L, const stats::NestedVariance& found) {
  PushTable(L, Field("mean", found.mean), Field("mean_standard_error", found.mean_standard_error),
            Field("mean_df", found.mean_df));
  SetList(L, "components", found.components, [L](const stats::VarianceComponent& component) {
    PushTable(L, Field("units", component.units), Field("df", component.df),
              Field("mean_square", component.mean_square), Field("estimate", component.estimate),
              Field("standard_error", component.standard_error), Field("low", component.low),
              Field("high", component.high));
  });
}

}  // namespace

void OpenStatsBiasVariance(lua_State* L) {
  AddFunctions(L, {{"stats_zero_one_parts", ZeroOnePartsOf},
                   {"stats_squared_parts", SquaredPartsOf},
                   {"stats_nested_variance", Native<NestedVarianceOf, PushVariance>}});
}

}  // namespace crossfold::lua
