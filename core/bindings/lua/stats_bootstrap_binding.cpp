// Bootstrap intervals and the errors around the .632 rule. A statistic written in Lua is called in
// Lua: the samples come from here one by one, and the interval is made of what it returned.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/lua/handles.h"
#include "bindings/lua/session.h"
#include "bindings/lua/stats_fields.h"
#include "crossfold/stats/bootstrap.h"
#include "crossfold/stats/bootstrap_632.h"

namespace crossfold::lua {
namespace {

// {method =, samples =, confidence =, seed =} at `index`.
stats::BootstrapOptions ReadBootstrapOptions(lua_State* L, int index) {
  luaL_checktype(L, index, LUA_TTABLE);
  stats::BootstrapOptions options;
  options.method = FieldIs(L, index, "method", "bca") ? stats::BootstrapMethod::kBca
                                                      : stats::BootstrapMethod::kPercentile;
  options.samples = IntegerField(L, index, "samples");
  options.confidence = NumberField(L, index, "confidence");
  options.seed = static_cast<std::uint64_t>(IntegerField(L, index, "seed"));
  options.cancel = GetSession(L).cancel();
  return options;
}

// The memory of the samples' statistics, twice, because a copy is sorted.
HeldMemory HoldSamples(const Session& session, std::int64_t samples) {
  const auto n = static_cast<std::uint64_t>(std::clamp<std::int64_t>(samples, 0, INT64_MAX / 16));
  return {session.budget, 2 * sizeof(double) * n,
          "draw " + std::to_string(samples) + " bootstrap samples"};
}

void PushInterval(lua_State* L, const stats::BootstrapInterval& interval) {
  lua_createtable(L, 0, 12);
  SetNumber(L, "estimate", interval.estimate);
  SetNumber(L, "low", interval.low);
  SetNumber(L, "high", interval.high);
  SetNumber(L, "standard_error", interval.standard_error);
  SetNumber(L, "bias_correction", interval.bias_correction);
  SetNumber(L, "acceleration", interval.acceleration);
  SetReason(L, interval.undefined);
}

// native.stats_bootstrap(values, "mean" or "median", options): the interval.
int BootstrapOf(lua_State* L) {
  const std::string_view name = luaL_checkstring(L, 2);
  const stats::BootstrapOptions options = ReadBootstrapOptions(L, 3);
  auto* values = NewOwned<std::vector<double>>(L);
  ReadNumbers(L, 1, "the values", *values);
  auto* interval = NewOwned<stats::BootstrapInterval>(L);
  const Session& session = GetSession(L);
  Try(L, [&] {
    const HeldMemory held = HoldSamples(session, options.samples);
    *interval =
        stats::Bootstrap(*values, name == "mean" ? stats::MeanOf : stats::MedianOf, options);
  });
  PushInterval(L, *interval);
  return 1;
}

// native.stats_bootstrap_plan(values, options): the seeds of the samples, or nil and the reason why
// there is nothing to resample.
int BootstrapPlan(lua_State* L) {
  const stats::BootstrapOptions options = ReadBootstrapOptions(L, 2);
  auto* values = NewOwned<std::vector<double>>(L);
  ReadNumbers(L, 1, "the values", *values);
  auto* reason = NewOwned<std::string>(L);
  auto* seeds = NewOwned<std::vector<std::uint64_t>>(L);
  const Session& session = GetSession(L);
  Try(L, [&] {
    const HeldMemory held = HoldSamples(session, options.samples);
    *reason = stats::NothingToResample(*values, options);
    if (reason->empty()) *seeds = stats::SampleSeeds(options.seed, options.samples, options.cancel);
  });
  if (!reason->empty()) {
    lua_pushnil(L);
    PushText(L, *reason);
    return 2;
  }
  lua_createtable(L, static_cast<int>(seeds->size()), 0);
  for (std::size_t i = 0; i < seeds->size(); ++i) {
    lua_pushinteger(L, static_cast<lua_Integer>((*seeds)[i]));
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
  return 1;
}

// native.stats_bootstrap_sample(values, seed): one sample.
int BootstrapSampleOf(lua_State* L) {
  const auto seed = static_cast<std::uint64_t>(luaL_checkinteger(L, 2));
  auto* values = NewOwned<std::vector<double>>(L);
  ReadNumbers(L, 1, "the values", *values);
  auto* sample = NewOwned<std::vector<double>>(L);
  Try(L, [&] { *sample = stats::BootstrapSample(*values, seed); });
  PushNumbers(L, *sample);
  return 1;
}

// native.stats_interval_of_replicates(estimate, replicates, leave_one_out, options)
int IntervalOf(lua_State* L) {
  const double estimate = luaL_checknumber(L, 1);
  const stats::BootstrapOptions options = ReadBootstrapOptions(L, 4);
  auto* replicates = NewOwned<std::vector<double>>(L);
  ReadNumbers(L, 2, "the replicates", *replicates);
  auto* leave_one_out = NewOwned<std::vector<double>>(L);
  ReadNumbers(L, 3, "the leave-one-out values", *leave_one_out);
  auto* interval = NewOwned<stats::BootstrapInterval>(L);
  Try(L, [&] {
    *interval = stats::IntervalOfReplicates(estimate, *replicates, *leave_one_out, options.method,
                                            options.confidence);
  });
  PushInterval(L, *interval);
  return 1;
}

// native.stats_bootstrap_632(training error, out-of-bag error, no-information error or nil)
int Bootstrap632Of(lua_State* L) {
  const double training = luaL_checknumber(L, 1), out_of_bag = luaL_checknumber(L, 2);
  const double no_information = luaL_optnumber(L, 3, std::numeric_limits<double>::quiet_NaN());
  auto* result = NewOwned<stats::Bootstrap632>(L);
  Try(L, [&] { *result = stats::CombineErrors(training, out_of_bag, no_information); });
  lua_createtable(L, 0, 5);
  SetNumber(L, "estimate_632", result->estimate_632);
  SetNumber(L, "estimate_632_plus", result->estimate_632_plus.value);
  SetNumber(L, "relative_overfitting", result->relative_overfitting);
  SetNumber(L, "weight", result->weight);
  SetReason(L, result->estimate_632_plus.undefined);
  return 1;
}

// native.stats_no_information_error(truth, predictions, squared): class numbers, or numbers.
int NoInformationErrorOf(lua_State* L) {
  double error = 0;
  const CancelToken* cancel = GetSession(L).cancel();
  if (lua_toboolean(L, 3) != 0) {
    auto* truth = NewOwned<std::vector<double>>(L);
    ReadNumbers(L, 1, "the truth", *truth);
    auto* predictions = NewOwned<std::vector<double>>(L);
    ReadNumbers(L, 2, "the predictions", *predictions);
    Try(L, [&] { error = stats::NoInformationSquaredError(*truth, *predictions); });
  } else {
    auto* labels = NewOwned<std::vector<std::int64_t>>(L);
    ReadIntegers(L, 1, "the truth", *labels);
    auto* predictions = NewOwned<std::vector<std::int64_t>>(L);
    ReadIntegers(L, 2, "the predictions", *predictions);
    Try(L, [&] { error = stats::NoInformationError(*labels, *predictions, cancel); });
  }
  lua_pushnumber(L, error);
  return 1;
}

// native.stats_out_of_bag_error(number of rows, {rows from 1}, {losses})
int OutOfBagErrorOf(lua_State* L) {
  const lua_Integer rows = luaL_checkinteger(L, 1);
  auto* tested = NewOwned<std::vector<std::int64_t>>(L);
  ReadIntegers(L, 2, "the rows", *tested);
  auto* losses = NewOwned<std::vector<double>>(L);
  ReadNumbers(L, 3, "the losses", *losses);
  auto* result = NewOwned<stats::OutOfBagError>(L);
  const CancelToken* cancel = GetSession(L).cancel();
  Try(L, [&] {
    std::vector<stats::OutOfBagLoss> pairs;
    for (std::size_t i = 0; i < tested->size(); ++i) {
      pairs.push_back({(*tested)[i] - 1, losses->at(i)});
    }
    *result = stats::LeaveOneOutBootstrapError(rows, pairs, cancel);
  });
  lua_createtable(L, 0, 4);
  SetNumber(L, "error", result->error.value);
  SetReason(L, result->error.undefined);
  SetInteger(L, "rows_used", result->rows_used);
  SetInteger(L, "rows_left_out", result->rows_left_out);
  return 1;
}

}  // namespace

void OpenStatsBootstrap(lua_State* L) {
  static constexpr luaL_Reg kFunctions[] = {{"stats_bootstrap", BootstrapOf},
                                            {"stats_bootstrap_plan", BootstrapPlan},
                                            {"stats_bootstrap_sample", BootstrapSampleOf},
                                            {"stats_interval_of_replicates", IntervalOf},
                                            {"stats_bootstrap_632", Bootstrap632Of},
                                            {"stats_no_information_error", NoInformationErrorOf},
                                            {"stats_out_of_bag_error", OutOfBagErrorOf},
                                            {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
