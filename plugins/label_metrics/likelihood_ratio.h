// How informative a prediction is about the positive class: likelihood ratios and Youden's J.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "average.h"
#include "class_ratio.h"
#include "confusion.h"
#include "positive_class.h"

namespace crossfold::bundled {

struct PositiveParams {
  std::string positive;
};
inline constexpr auto kPositiveSchema =
    plugin::Schema(plugin::Text("positive", &PositiveParams::positive,
                                "The class that counts as positive; empty = the second of two."));

// Base of the metrics of one class against the rest, where both sides have rows.
class OneAgainstRest : public Confusion {
 public:
  using Params = PositiveParams;
  static constexpr auto kSchema = kPositiveSchema;

  static void Check(const Params& params, const cf_shape& shape, const plugin::Context&) {
    CheckPositive(params.positive, shape);
  }

 protected:
  // Rates among the rows of the class, and among the others.
  struct Rates {
    double sensitivity, miss_rate, specificity, false_alarm_rate;
  };

  OneAgainstRest(const Params& params, const plugin::MetricInput& about)
      : Confusion(about), positive_(FindPositive(params.positive, ClassNames::Of(about))) {}

  // Throws Undefined if one side has no rows.
  Rates RatesOfClass() const {
    const ClassCounts n = RatioTable().ByClass()[positive_];
    const double positives = n.tp + n.fn;
    const double negatives = n.fp + n.tn;
    if (positives == 0) throw plugin::Undefined(RecallRatio::WhyNone(name()));
    if (negatives == 0) throw plugin::Undefined(SpecificityRatio::WhyNone(name()));
    return {n.tp / positives, n.fn / positives, n.tn / negatives, n.fp / negatives};
  }
  std::string name() const { return Quoted(positive_); }

 private:
  std::size_t positive_;
};

class PositiveLikelihoodRatio : public OneAgainstRest {
 public:
  static constexpr plugin::MetricInfo kInfo{
      .component = {.id = "crossfold.positive_likelihood_ratio",
                    .title = "Positive likelihood ratio",
                    .doc = "By how much a positive prediction multiplies the odds of the class: "
                           "sensitivity / (1 - specificity).",
                    .source = "D. L. Simel, G. P. Samsa and D. B. Matchar, Likelihood ratios with "
                              "confidence, Journal of Clinical Epidemiology 44 (1991) 763-770"},
      .needs = CF_NEEDS_LABELS,
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .direction = 1,
      .worst = 0,
      .best = std::numeric_limits<double>::infinity()};

  static PositiveLikelihoodRatio Begin(const Params& params, const plugin::MetricInput& about,
                                       const plugin::Context&) {
    return PositiveLikelihoodRatio(params, about);
  }
  double Finish(const plugin::Context&) const {
    const Rates rates = RatesOfClass();
    return ValueOf(Ratio{rates.sensitivity, rates.false_alarm_rate}, [this] {
      return "no row of another class was predicted " + name() + ": the specificity is 1";
    });
  }

 private:
  using OneAgainstRest::OneAgainstRest;
};

class NegativeLikelihoodRatio : public OneAgainstRest {
 public:
  static constexpr plugin::MetricInfo kInfo{
      .component = {.id = "crossfold.negative_likelihood_ratio",
                    .title = "Negative likelihood ratio",
                    .doc = "By how much a negative prediction multiplies the odds of the class: "
                           "(1 - sensitivity) / specificity.",
                    .source = "D. L. Simel, G. P. Samsa and D. B. Matchar, Likelihood ratios with "
                              "confidence, Journal of Clinical Epidemiology 44 (1991) 763-770"},
      .needs = CF_NEEDS_LABELS,
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .direction = -1,
      .worst = std::numeric_limits<double>::infinity(),
      .best = 0};

  static NegativeLikelihoodRatio Begin(const Params& params, const plugin::MetricInput& about,
                                       const plugin::Context&) {
    return NegativeLikelihoodRatio(params, about);
  }
  double Finish(const plugin::Context&) const {
    const Rates rates = RatesOfClass();
    return ValueOf(Ratio{rates.miss_rate, rates.specificity}, [this] {
      return "every row of another class was predicted " + name() + ": the specificity is 0";
    });
  }

 private:
  using OneAgainstRest::OneAgainstRest;
};

class YoudenJ : public OneAgainstRest {
 public:
  static constexpr plugin::MetricInfo kInfo{
      .component = {.id = "crossfold.youden_j",
                    .title = "Youden's J",
                    .doc = "Sensitivity + specificity - 1 (informedness).",
                    .source = "W. J. Youden, Index for rating diagnostic tests, Cancer 3 (1950) "
                              "32-35"},
      .needs = CF_NEEDS_LABELS,
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .direction = 1,
      .worst = -1,
      .best = 1};

  static YoudenJ Begin(const Params& params, const plugin::MetricInput& about,
                       const plugin::Context&) {
    return YoudenJ(params, about);
  }
  double Finish(const plugin::Context&) const {
    const Rates rates = RatesOfClass();
    return rates.sensitivity - rates.false_alarm_rate;
  }

 private:
  using OneAgainstRest::OneAgainstRest;
};

}  // namespace crossfold::bundled
