// Averages over several classes of a metric that ranks one class against others.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "../ranked_scores.h"
#include "crossfold_plugin.hpp"

namespace crossfold::ranking_metrics {

using bundled::RankedScores;
using bundled::Tie;
namespace cf = crossfold::plugin;

// A metric of a ranking.
constexpr cf::MetricInfo RankingInfo(cf::ComponentInfo component, double worst = 0,
                                     std::int64_t least_class_rows = 0) {
  return {.component = component,
          .needs = CF_NEEDS_PROBABILITIES | CF_TAKES_SCORES,
          .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
          .direction = 1,
          .worst = worst,
          .best = 1,
          .least_class_rows = least_class_rows};
}

enum class Average { kBinary, kOvrMacro, kOvrWeighted, kOvo, kOvoWeighted };
inline constexpr std::array<const char*, 5> kAverageNames = {"binary", "ovr_macro", "ovr_weighted",
                                                             "ovo", "ovo_weighted"};
// The first three, for metrics that pairs of classes make no sense of.
inline constexpr std::array<const char*, 3> kOneVsRestNames = {"binary", "ovr_macro",
                                                               "ovr_weighted"};

// All rows by their probability of class c, which is the positive one.
// Throws Undefined if the rows that count are all of this class, or none is.
RankedScores RankClass(const cf::MetricInput& input, std::int64_t c);

using RankingValue = std::function<double(const RankedScores&)>;

// The metric of the positive class (see PositiveClass) or an average over the classes against the
// rest. REQUIRES: not one of the ovo averages.
double OneVsRest(Average average, const std::string& positive, const cf::MetricInput& input,
                 const RankingValue& value);

// Average over the pairs of classes {i, j}, among the rows of both, of the mean of the metric of i
// by the probabilities of i, and of j by those of j. By weight: a pair counts as its rows do.
double OneVsOne(bool by_weight, const cf::MetricInput& input, const RankingValue& value);

// The alternative for more than two classes, for PositiveClass.
inline constexpr const char* kOneVsRestOtherwise = "choose average = ovr_macro or ovr_weighted";
inline constexpr const char* kAnyAverageOtherwise =
    "choose average = ovr_macro, ovr_weighted, ovo or ovo_weighted";

}  // namespace crossfold::ranking_metrics
