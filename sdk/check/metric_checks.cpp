// Checks of what every metric says: values within bounds, the best one for the best predictions, a
// reason where there is none.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/library_random.h"
#include "check/metric_calls.h"
#include "check/proper_refusal.h"
#include "engine/text/format_number.h"

namespace crossfold::check {
namespace {

// ---- metric-smoke -------------------------------------------------------------------------------

// Every declared task has a value, under the defaults or with a positive class.
void MetricSmoke(CheckContext& context) {
  const SpecPtr spec = context.Defaults();
  for (const MetricShape& shape : MetricShapes(context.component())) {
    const MetricCase made = MakeMetricCase(context, spec, shape);
    if (!made.expected.ok()) {
      // With two classes the metric may have no more classes than it looks at (top-k).
      const std::string improper = FindImproper(made.expected.reply);
      const bool may_refuse = shape.n_classes == 2 && improper.empty() &&
                              (context.component().metric->tasks & CF_TASK_MULTICLASS) != 0;
      if (may_refuse) continue;
      context.Fail(made.Where() + " it has no value: " + made.expected.Describe());
      continue;
    }
    const std::string problem = FindUnusable(made.expected, *context.component().metric);
    if (!problem.empty()) context.Fail(made.Where() + " " + problem);
  }
}

// ---- fit-idempotent, seed-used ------------------------------------------------------------------

void MetricFitIdempotent(CheckContext& context) {
  if ((context.component().determinism & CF_DET_SEEDED) == 0) {
    context.Skip("it does not declare CF_DET_SEEDED");
  }
  for (const MetricCase& c : MakeMetricCases(context)) {
    Score(*c.spec, Predict(c.rows, 0.3, 9));
    ReseedLibrary(77);  // whoever draws from the C library gets other numbers now
    const std::string difference = Difference(Score(*c.spec, c.rows), c.expected);
    if (!difference.empty()) context.Fail(c.Where() + ", the second time, " + difference);
  }
}

void MetricSeedUsed(CheckContext& context) {
  const bool is_unseeded = (context.component().determinism & CF_DET_UNSEEDED) != 0;
  bool draws = false, differs = false;
  for (const MetricCase& c : MakeMetricCases(context)) {
    draws |= c.expected.reply.n_random > 0;
    for (std::uint64_t seed = 2; seed <= 5; ++seed) {
      ProbeOptions options;
      options.seed = seed;
      const Scored scored = Score(*c.spec, c.rows, options);
      const std::string difference = Difference(scored, c.expected);
      differs |= !difference.empty();
      if (!is_unseeded || difference.empty()) continue;
      context.Fail(c.Where() + ", with another seed, though it declares CF_DET_UNSEEDED, " +
                   difference);
    }
  }
  if (draws && !differs) context.Warn("it draws random numbers, but five seeds gave one value");
}

// ---- metric-bounds ------------------------------------------------------------------------------

void LookAtPerfection(CheckContext& context, const MetricCase& c) {
  const cf_metric& metric = *context.component().metric;
  if (metric.direction == 0 || std::isinf(metric.best)) return;
  const Scored scored = Score(*c.spec, Predict(c.rows, 1, 1));
  if (!scored.ok() || std::abs(scored.value - metric.best) <= 1e-9) return;
  context.Fail(c.Where() + " perfect predictions get " + scored.Describe() +
               ", the best value is said to be " + FormatShortest(metric.best));
}

void MetricBounds(CheckContext& context) {
  const cf_metric& metric = *context.component().metric;
  for (const MetricCase& c : MakeMetricCases(context)) {
    for (std::uint64_t i = 0; i <= 10; ++i) {
      const double share = static_cast<double>(i) / 10;
      const Scored scored = Score(*c.spec, Predict(c.rows, share, i));
      const std::string problem = FindUnusable(scored, metric);
      if (problem.empty()) continue;
      context.Fail(c.Where() + ", with " + FormatShortest(share) + " of the predictions right, " +
                   problem);
    }
    LookAtPerfection(context, c);
  }
}

// ---- metric-direction ---------------------------------------------------------------------------

// How much better the first is, in the direction of the metric.
double Advantage(const cf_metric& metric, const Scored& first, const Scored& second) {
  return metric.direction * (first.value - second.value);
}

// More wrong labels, or larger errors, are not better.
void LookAtLadder(CheckContext& context, const MetricCase& c) {
  const cf_metric& metric = *context.component().metric;
  Scored last = Score(*c.spec, Predict(c.rows, 1, 1));
  for (const double share : {0.75, 0.5, 0.25}) {
    Scored scored = Score(*c.spec, Predict(c.rows, share, 1));
    if (last.ok() && scored.ok() && Advantage(metric, last, scored) < -1e-9) {
      context.Fail(c.Where() + " the value is " + scored.Describe() +
                   " after more predictions were " + "made wrong, and was " + last.Describe() +
                   " before; it is said that " + (metric.direction > 0 ? "higher" : "lower") +
                   " is better");
      return;
    }
    if (scored.ok()) last = std::move(scored);
  }
}

void MetricDirection(CheckContext& context) {
  const cf_metric& metric = *context.component().metric;
  if (metric.direction == 0) context.Skip("it declares no direction");
  // Poor probabilities may be as well calibrated, or as fine, as the perfect ones.
  const bool is_of_mistakes = (metric.needs & (CF_NEEDS_LABELS | CF_NEEDS_VALUES)) != 0;
  for (const MetricCase& c : MakeMetricCases(context)) {
    if (is_of_mistakes) LookAtLadder(context, c);
    const Scored perfect = Score(*c.spec, Predict(c.rows, 1, 1));
    const Scored poor = Score(*c.spec, Predict(c.rows, 0.34, 1));
    if (!perfect.ok() || !poor.ok()) continue;
    const double advantage = Advantage(metric, perfect, poor);
    if (is_of_mistakes ? advantage > 0 : advantage >= 0) continue;
    context.Fail(c.Where() + " perfect predictions get " + perfect.Describe() + ", poor ones " +
                 poor.Describe() + "; it is said that " +
                 (metric.direction > 0 ? "higher" : "lower") + " is better");
  }
}

// ---- metric-undefined ---------------------------------------------------------------------------

void Keep(std::vector<std::int32_t>& labels, std::int32_t label) {
  std::fill(labels.begin(), labels.end(), label);
}

// What leaves many metrics without a value.
std::vector<std::pair<std::string, std::function<void(MetricRows&)>>> HardRows() {
  const auto last = [](const MetricRows& rows) {
    return static_cast<std::int32_t>(rows.num_classes() - 1);
  };
  return {
      {"one row", [](MetricRows& rows) { rows = rows.Chosen({0}); }},
      {"rows of weight 0",
       [](MetricRows& rows) { rows.weights.assign(static_cast<std::size_t>(rows.size()), 0); }},
      {"rows of the first class only", [](MetricRows& rows) { Keep(rows.truth_labels, 0); }},
      {"rows of the last class only",
       [last](MetricRows& rows) { Keep(rows.truth_labels, last(rows)); }},
      {"rows of which all are predicted as the first class",
       [](MetricRows& rows) {
         Keep(rows.labels, 0);
         for (std::size_t i = 0; i < rows.probabilities.size(); ++i) {
           rows.probabilities[i] = i % rows.class_names.size() == 0 ? 1 : 0;
         }
       }},
      {"equal rows",
       [](MetricRows& rows) {
         rows = rows.Chosen({2, 2, 2, 2});
       }},
      {"truths of 0",
       [](MetricRows& rows) { std::fill(rows.truth_values.begin(), rows.truth_values.end(), 0); }},
      {"predictions of 0",
       [](MetricRows& rows) { std::fill(rows.values.begin(), rows.values.end(), 0); }},
  };
}

// A value within the bounds, or CF_E_UNDEFINED with a reason.
void LookAtHard(CheckContext& context, const MetricCase& c, const std::string& name,
                const cf_metric_input& input) {
  const Scored scored = Score(*c.spec, input);
  std::string problem = FindUnusable(scored, *context.component().metric);
  if (problem.empty()) problem = FindImproper(scored.reply);
  if (problem.empty() && !scored.ok() && scored.reply.status != CF_E_UNDEFINED) {
    problem = "it ended with " + scored.reply.Describe() + ", and not with CF_E_UNDEFINED";
  }
  if (!problem.empty()) context.Fail(c.Where() + ", of " + name + ", " + problem);
}

void MetricUndefined(CheckContext& context) {
  for (const MetricCase& c : MakeMetricCases(context)) {
    LookAtHard(context, c, "no rows", MetricBlocks(c.rows).Block(0, 0));
    for (const auto& [name, change] : HardRows()) {
      MetricRows rows = c.rows;
      change(rows);
      LookAtHard(context, c, name, MetricBlocks(rows).Whole());
    }
  }
}

constexpr Check kMetricChecks[] = {
    {"metric-smoke", CheckScope::kMetric, 2, false, "descriptor-complete",
     "every declared task has a value within the bounds", &MetricSmoke},
    {"fit-idempotent", CheckScope::kMetric, 3, false, "metric-smoke",
     "the same rows get the same value", &MetricFitIdempotent},
    {"seed-used", CheckScope::kMetric, 4, false, "fit-idempotent",
     "the seed matters if and only if random numbers are drawn", &MetricSeedUsed},
    {"metric-bounds", CheckScope::kMetric, 3, false, "metric-smoke",
     "values are within the bounds, and perfect predictions get the best one", &MetricBounds},
    {"metric-direction", CheckScope::kMetric, 3, false, "metric-smoke",
     "better predictions get better values", &MetricDirection},
    {"metric-undefined", CheckScope::kMetric, 3, false, "metric-smoke",
     "an undefined value has a reason, and no value is a NaN", &MetricUndefined},
};

}  // namespace

std::span<const Check> MetricChecks() { return kMetricChecks; }

}  // namespace crossfold::check
