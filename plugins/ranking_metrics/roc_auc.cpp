#include "roc_auc.h"

#include "../positive_class.h"

namespace crossfold::ranking_metrics {
namespace {

// Twice the weight of the pairs (positive, negative) in the right order, ties one half. Without
// weights these are whole numbers, and so exact below 2^53.
template <class Sum>
double AreaOf(const RankedScores& ranked) {
  Sum below, right, positives;
  ranked.VisitAscending([&](const Tie& tie) {
    right.Add(tie.positive * (2 * below.value() + tie.negative));
    below.Add(tie.negative);
    positives.Add(tie.positive);
  });
  return right.value() / (2 * positives.value() * below.value());
}

double Area(const RankedScores& ranked) {
  return ranked.has_weights() ? AreaOf<cf::CompensatedSum>(ranked)
                              : AreaOf<bundled::PlainSum>(ranked);
}

}  // namespace

void RocAuc::Check(const Params& params, const cf_shape& shape, const cf::Context&) {
  if (params.average != Average::kBinary) return;
  bundled::PositiveClass(params.positive, shape.n_classes, shape.class_names, kAnyAverageOtherwise);
}

double RocAuc::Score(const Params& params, const cf::MetricInput& input, const cf::Context&) {
  if (params.average == Average::kOvo || params.average == Average::kOvoWeighted) {
    return OneVsOne(params.average == Average::kOvoWeighted, input, Area);
  }
  return OneVsRest(params.average, params.positive, input, Area);
}

}  // namespace crossfold::ranking_metrics
