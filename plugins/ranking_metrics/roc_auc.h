// Area under the ROC curve, and the Gini coefficient, which is the same on another scale.
#pragma once

#include <string>

#include "average.h"
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

struct RocAuc {
  static constexpr cf::MetricInfo kInfo{
      .component = {.id = "crossfold.roc_auc",
                    .title = "Area under the ROC curve",
                    .doc = "Probability that a random row of the positive class gets a higher "
                           "probability of it than another row does; ties count one half.",
                    .source = "Hanley & McNeil 1982; Hand & Till 2001"},
      .needs = CF_NEEDS_PROBABILITIES,
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .direction = 1,
      .worst = 0,
      .best = 1};

  using Params = AucParams;
  static constexpr auto kSchema = kAucSchema;

  static void Check(const Params& params, const cf_shape& shape, const cf::Context&);
  static double Score(const Params& params, const cf::MetricInput& input, const cf::Context&);
};

struct Gini {
  static constexpr cf::MetricInfo kInfo{
      .component = {.id = "crossfold.gini",
                    .title = "Gini coefficient of a ranking",
                    .doc = "2 AUC - 1: 1 = every row of the positive class is ranked above every "
                           "other row, 0 = as by chance. Also called Somers' D or accuracy ratio.",
                    .source = "Somers 1962; Hand & Till 2001"},
      .needs = CF_NEEDS_PROBABILITIES,
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .direction = 1,
      .worst = -1,
      .best = 1};

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
