#include "lift.h"

#include <algorithm>
#include <limits>

#include "../positive_class.h"

namespace crossfold::ranking_metrics {
namespace {

// Of a tie that the border cuts, each row counts by the part of the tie that is inside.
double LiftAt(double share, const RankedScores& ranked) {
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

}  // namespace

void Lift::Check(const Params& params, const cf_shape& shape, const cf::Context&) {
  bundled::PositiveClass(params.positive, shape.n_classes, shape.class_names);
}

double Lift::Score(const Params& params, const cf::MetricInput& input, const cf::Context&) {
  return OneVsRest(Average::kBinary, params.positive, input,
                   [&](const RankedScores& ranked) { return LiftAt(params.share, ranked); });
}

}  // namespace crossfold::ranking_metrics
