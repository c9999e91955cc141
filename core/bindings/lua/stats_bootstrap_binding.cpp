// Bootstrap intervals and the errors around the .632 rule. A statistic written in Lua is called in
// Lua: the samples come from here one by one, and the interval is made of what it returned.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/lua/native.h"
#include "crossfold/stats/bootstrap.h"
#include "crossfold/stats/bootstrap_632.h"

namespace crossfold::lua {

// {method =, samples =, confidence =, seed =}
template <>
struct Argument<stats::BootstrapOptions> {
  static stats::BootstrapOptions Read(lua_State* L, int& at) {
    const int index = at++;
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
};

namespace {

// The memory of the samples' statistics, twice, because a copy is sorted.
HeldMemory HoldSamples(const Session& session, std::int64_t samples) {
  const auto n = static_cast<std::uint64_t>(std::clamp<std::int64_t>(samples, 0, INT64_MAX / 16));
  return {session.budget, 2 * sizeof(double) * n,
          "draw " + std::to_string(samples) + " bootstrap samples"};
}

void PushInterval(lua_State* L, const stats::BootstrapInterval& interval) {
  PushTable(L, Field("estimate", interval.estimate), Field("low", interval.low),
            Field("high", interval.high), Field("standard_error", interval.standard_error),
            Field("bias_correction", interval.bias_correction),
            Field("acceleration", interval.acceleration), Reason(interval.undefined));
}

// native.stats_bootstrap(values, "mean" or "median", options): the interval.
stats::BootstrapInterval BootstrapOf(Numbers<"the values"> values, std::string_view name,
                                     stats::BootstrapOptions options, const Session& session) {
  const HeldMemory held = HoldSamples(session, options.samples);
  return stats::Bootstrap(*values, name == "mean" ? stats::MeanOf : stats::MedianOf, options);
}

struct SeedsOrReason {
  std::vector<std::uint64_t> seeds;
  std::string reason;
};

// native.stats_bootstrap_plan(values, options): the seeds of the samples, or nil and the reason why
// there is nothing to resample.
SeedsOrReason BootstrapPlan(Numbers<"the values"> values, stats::BootstrapOptions options,
                            const Session& session) {
  const HeldMemory held = HoldSamples(session, options.samples);
  std::string reason = stats::NothingToResample(*values, options);
  if (!reason.empty()) return {{}, std::move(reason)};
  return {stats::SampleSeeds(options.seed, options.samples, options.cancel), ""};
}

int PushSeedsOrReason(lua_State* L, const SeedsOrReason& found) {
  if (!found.reason.empty()) {
    lua_pushnil(L);
    PushText(L, found.reason);
    return 2;
  }
  PushList(L, found.seeds,
           [L](std::uint64_t seed) { lua_pushinteger(L, static_cast<lua_Integer>(seed)); });
  return 1;
}

// native.stats_bootstrap_sample(values, seed): one sample.
std::vector<double> BootstrapSampleOf(Numbers<"the values"> values, std::uint64_t seed) {
  return stats::BootstrapSample(*values, seed);
}

// native.stats_interval_of_replicates(estimate, replicates, leave_one_out, options)
stats::BootstrapInterval IntervalOf(double estimate, Numbers<"the replicates"> replicates,
                                    Numbers<"the leave-one-out values"> leave_one_out,
                                    stats::BootstrapOptions options) {
  return stats::IntervalOfReplicates(estimate, *replicates, *leave_one_out, options.method,
                                     options.confidence);
}

// native.stats_bootstrap_632(training error, out-of-bag error, no-information error or nil)
stats::Bootstrap632 Bootstrap632Of(double training, double out_of_bag,
                                   std::optional<double> no_information) {
  return stats::CombineErrors(training, out_of_bag, no_information.value_or(std::nan("")));
}

void PushBootstrap632(lua_State* L, const stats::Bootstrap632& result) {
  PushTable(L, Field("estimate_632", result.estimate_632),
            Field("estimate_632_plus", result.estimate_632_plus.value),
            Field("relative_overfitting", result.relative_overfitting),
            Field("weight", result.weight), Reason(result.estimate_632_plus.undefined));
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
stats::OutOfBagError OutOfBagErrorOf(std::int64_t rows, Integers<"the rows"> tested,
                                     Numbers<"the losses"> losses, const Session& session) {
  std::vector<stats::OutOfBagLoss> pairs;
  for (std::size_t i = 0; i < tested->size(); ++i) {
    pairs.push_back({(*tested)[i] - 1, losses->at(i)});
  }
  return stats::LeaveOneOutBootstrapError(rows, pairs, session.cancel());
}

void PushOutOfBagError(lua_State* L, const stats::OutOfBagError& result) {
  PushTable(L, Field("error", result.error.value), Reason(result.error.undefined),
            Field("rows_used", result.rows_used), Field("rows_left_out", result.rows_left_out));
}

}  // namespace

void OpenStatsBootstrap(lua_State* L) {
  AddFunctions(L, {{"stats_bootstrap", Native<BootstrapOf, PushInterval>},
                   {"stats_bootstrap_plan", Native<BootstrapPlan, PushSeedsOrReason>},
                   {"stats_bootstrap_sample", Native<BootstrapSampleOf>},
                   {"stats_interval_of_replicates", Native<IntervalOf, PushInterval>},
                   {"stats_bootstrap_632", Native<Bootstrap632Of, PushBootstrap632>},
                   {"stats_no_information_error", NoInformationErrorOf},
                   {"stats_out_of_bag_error", Native<OutOfBagErrorOf, PushOutOfBagError>}});
}

}  // namespace crossfold::lua
