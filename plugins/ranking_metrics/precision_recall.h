// Areas under the curve of precision by recall: average precision (steps) and others.
#pragma once

#include <array>
#include <string>

#include "average.h"
#include "crossfold_plugin.hpp"

namespace crossfold::ranking_metrics {

struct AveragePrecision {
  static constexpr cf::MetricInfo kInfo{
      .component = {.id = "crossfold.average_precision",
                    .title = "Average precision",
                    .doc = "Sum over the thresholds of precision times the gain in recall: the "
                           "area under the precision-recall curve in steps.",
                    .source = "Manning, Raghavan & Schuetze 2008, section 8.4"},
      .needs = CF_NEEDS_PROBABILITIES,
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .direction = 1,
      .worst = 0,
      .best = 1};

  struct Params {
    Average average = Average::kBinary;
    std::string positive;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Choice("average", &Params::average, kOneVsRestNames,
                 "binary: the positive class against the rest; ovr: the mean over the classes, "
                 "each against the rest; weighted: classes are weighted by their rows."),
      cf::Text("positive", &Params::positive,
               "The class that should get high probabilities; \"\" = the second of two.",
               {.active_if = "average=binary"}));

  static void Check(const Params& params, const cf_shape& shape, const cf::Context&);
  static double Score(const Params& params, const cf::MetricInput& input, const cf::Context&);
};

enum class Interpolation { kHyperbolic, kTrapezoid };
inline constexpr std::array<const char*, 2> kInterpolationNames = {"hyperbolic", "trapezoid"};

struct PrAuc {
  static constexpr cf::MetricInfo kInfo{
      .component = {.id = "crossfold.pr_auc",
                    .title = "Area under the precision-recall curve",
                    .doc = "The area with interpolation between thresholds: hyperbolic, as a "
                           "classifier between the two would behave, or linear.",
                    .source = "Davis & Goadrich 2006; Keilwagen, Grosse & Grau 2014"},
      .needs = CF_NEEDS_PROBABILITIES,
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .direction = 1,
      .worst = 0,
      .best = 1};

  struct Params {
    Interpolation interpolation = Interpolation::kHyperbolic;
    Average average = Average::kBinary;
    std::string positive;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Choice("interpolation", &Params::interpolation, kInterpolationNames,
                 "hyperbolic: false positives grow evenly with the true ones; trapezoid: straight "
                 "lines, which overestimate the area."),
      cf::Choice("average", &Params::average, kOneVsRestNames,
                 "binary: the positive class against the rest; ovr: the mean over the classes, "
                 "each against the rest; weighted: classes are weighted by their rows."),
      cf::Text("positive", &Params::positive,
               "The class that should get high probabilities; \"\" = the second of two.",
               {.active_if = "average=binary"}));

  static void Check(const Params& params, const cf_shape& shape, const cf::Context&);
  static double Score(const Params& params, const cf::MetricInput& input, const cf::Context&);
};

}  // namespace crossfold::ranking_metrics
