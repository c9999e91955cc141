// Lift: how much more frequent the positive class is among the rows ranked highest.
#pragma once

#include <algorithm>
#include <limits>
#include <string>

#include "../positive_class.h"
#include "average.h"
#include "crossfold_plugin.hpp"

namespace crossfold::ranking_metrics {

// Of a tie that the border cuts, each row counts by the part of the tie that is inside.
inline double LiftAt(double share, const RankedScores& ranked) {
  const double total = ranked.weight(true) + ranked.weight(false);
  double left = share * total;
  if (left < std::numeric_limits<double>::min()) {
    throw cf::Error(CF_E_NUMERIC,
                    "share times the total weight of the rows is too small for a number");
  }
  cf::CompensatedSum positives;
  ranked.VisitDescending([&](const Tie& tie) {
    const double taken = std::min(left, tie.weight());
    if (taken <= 0) return;
    positives.Add(taken == tie.weight() ? tie.positive : tie.positive * (taken / tie.weight()));
    left -= taken;
  });
  return positives.value() / (share * ranked.weight(true));
}

struct Lift {
  static constexpr cf::MetricInfo kInfo{
      .component = {.id = "crossfold.lift",
                    .title = "Lift",
                    .doc = "Share of the positive class among the rows of the highest "
                           "probabilities, divided by its share among all rows.",
                    .source = "Witten, Frank & Hall 2011, section 5.7"},
      .needs = CF_NEEDS_PROBABILITIES | CF_TAKES_SCORES,
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .direction = 1,
      .worst = 0,
      .best = std::numeric_limits<double>::infinity()};

  struct Params {
    double share = 0.1;
    std::string positive;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Real("share", &Params::share, {.low = 0, .high = 1},
                          "Share of the rows, by weight, in which the positives are counted.",
                          {.flags = CF_PF_LO_OPEN}),
                 cf::Text("positive", &Params::positive,
                          "The class that should get high probabilities; \"\" = the second of "
                          "two."));

  static void Check(const Params& params, const cf_shape& shape, const cf::Context&) {
    bundled::PositiveClass(params.positive, shape.n_classes, shape.class_names);
  }
  static double Score(const Params& params, const cf::MetricInput& input, const cf::Context&) {
    return OneVsRest(Average::kBinary, params.positive, input,
                     [&](const RankedScores& ranked) { return LiftAt(params.share, ranked); });
  }
};

}  // namespace crossfold::ranking_metrics
