// cf.stats: means and proportions of rows that are seen one after the other, with intervals for all
// times.
#include <cstdint>
#include <tuple>

#include "bindings/lua/native.h"
#include "crossfold/stats/betting_interval.h"
#include "crossfold/stats/confidence_sequence.h"

namespace crossfold::lua {
namespace {

// native.stats_proportion_sequence(successes, trials, best_at, confidence): low, high
std::tuple<double, double> ProportionSequenceOf(std::int64_t successes, std::int64_t trials,
                                                double best_at, double confidence) {
  const auto interval = stats::ProportionSequence(successes, trials, best_at, confidence);
  return {interval.low, interval.high};
}

// native.stats_sequential_mean(differences, largest, confidence)
stats::SequentialMean SequentialMeanOf(Numbers<"the differences"> differences, double largest,
                                       double confidence, const Session& session) {
  return stats::TestSequentially(*differences, largest, confidence, session.cancel());
}

void PushSequentialMean(lua_State* L, const stats::SequentialMean& found) {
  PushTable(L, Field("n", found.n), Field("mean", found.mean), Field("evidence", found.evidence),
            Field("p", found.p));
  // Limits that have crossed say that the differences are not draws with one mean.
  if (found.low <= found.high) SetFields(L, Field("low", found.low), Field("high", found.high));
  if (found.decided > 0) SetField(L, "decided", found.decided);
}

// native.stats_betting_interval(values, least, most, confidence): low, high
std::tuple<double, double> BettingIntervalOf(Numbers<"the values"> values, double least,
                                             double most, double confidence) {
  const auto interval = stats::BettingInterval(*values, least, most, confidence);
  return {interval.low, interval.high};
}

}  // namespace

void OpenStatsSequence(lua_State* L) {
  AddFunctions(L, {{"stats_normal_mixture_boundary", Native<stats::NormalMixtureBoundary>},
                   {"stats_proportion_sequence", Native<ProportionSequenceOf>},
                   {"stats_sequential_mean", Native<SequentialMeanOf, PushSequentialMean>},
                   {"stats_betting_interval", Native<BettingIntervalOf>}});
  SetField(L, "largest_bet", stats::kLargestBet);
}

}  // namespace crossfold::lua
