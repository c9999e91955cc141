// Area under the ROC curve, and the Gini coefficient, which is the same on another scale.
#pragma once

#include <string>

#include "../positive_class.h"
#include "average.h"
#include "class_units.h"
#include "crossfold_plugin.hpp"

namespace crossfold::ranking_metrics {

struct AucParams {
  Average average = Average::kBinary;
  std::string positive;
};

inline constexpr auto kAucSchema = cf::Schema(
    cf::Choice("average", &AucParams::average, kAverageNames,
               "binary: the positive class against the rest; ovr: the mean over the classes, each "
               "against the rest; ovo: the mean over the pairs of classes (Hand and Till 2001); "
               "weighted: classes and pairs are weighted by their rows."),
    cf::Text("positive", &AucParams::positive,
             "The class that should get high probabilities; \"\" = the second of two.",
             {.active_if = "average=binary"}));

// Twice the weight of the pairs (positive, negative) in the right order, ties one half. Without
// weights these are whole numbers, and so exact below 2^53.
template <class Sum>
double AreaOf(const RankedScores& ranked) {
  Sum below, right, positives;
  const ClassUnits units(ranked);
  ranked.VisitAscending([&](const Tie& tie) {
    const double positive = units.Positive(tie.positive), negative = units.Negative(tie.negative);
    right.Add(positive * (2 * below.value() + negative));
    below.Add(negative);
    positives.Add(positive);
  });
  return right.value() / (2 * positives.value() * below.value());
}

inline double Area(const RankedScores& ranked) {
  return ranked.has_weights() ? AreaOf<cf::CompensatedSum>(ranked)
                              : AreaOf<bundled::PlainSum>(ranked);
}

struct RocAuc {
  static constexpr cf::MetricInfo kInfo =
      RankingInfo({.id = "crossfold.roc_auc",
                   .title = "Area under the ROC curve",
                   .doc = "Probability that a random row of the positive class gets a higher "
                          "probability of it than another row does; ties count one half.",
                   .source = "Hanley & McNeil 1982; Hand & Till 2001"});

  using Params = AucParams;
  static constexpr auto kSchema = kAucSchema;

  static void Check(const Params& params, const cf_shape& shape, const cf::Context&) {
    if (params.average != Average::kBinary) return;
    bundled::PositiveClass(params.positive, shape.n_classes, shape.class_names,
                           kAnyAverageOtherwise);
  }
  static double Score(const Params& params, const cf::MetricInput& input, const cf::Context&) {
    if (params.average == Average::kOvo || params.average == Average::kOvoWeighted) {
      return OneVsOne(params.average == Average::kOvoWeighted, input, Area);
    }
    return OneVsRest(params.average, params.positive, input, Area);
  }
};

struct Gini {
  static constexpr cf::MetricInfo kInfo =
      RankingInfo({.id = "crossfold.gini",
                   .title = "Gini coefficient of a ranking",
                   .doc = "2 AUC - 1: 1 = every row of the positive class is ranked above every "
                          "other row, 0 = as by chance. Also called Somers' D or accuracy ratio.",
                   .source = "Somers 1962; Hand & Till 2001"},
                  -1);

  using Params = AucParams;
  static constexpr auto kSchema = kAucSchema;

  static void Check(const Params& params, const cf_shape& shape, const cf::Context& context) {
    RocAuc::Check(params, shape, context);
  }
  static double Score(const Params& params, const cf::MetricInput& input,
                      const cf::Context& context) {
    return 2 * RocAuc::Score(params, input, context) - 1;
  }
};

}  // namespace crossfold::ranking_metrics
