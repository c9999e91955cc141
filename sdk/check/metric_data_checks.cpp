// Checks of metrics on rows that are unusual, or that lack what is not needed.
#include <limits>
#include <string>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/metric_calls.h"
#include "check/proper_refusal.h"

namespace crossfold::check {
namespace {

// ---- metric-needs -------------------------------------------------------------------------------

// What the metric declares to need, and nothing else.
MetricRows OnlyNeeded(const MetricRows& rows, std::uint32_t needs) {
  MetricRows kept = rows;
  if ((needs & CF_NEEDS_LABELS) == 0) kept.labels.clear();
  if ((needs & CF_NEEDS_VALUES) == 0) kept.values.clear();
  if ((needs & CF_NEEDS_PROBABILITIES) == 0) kept.probabilities.clear();
  if ((needs & CF_NEEDS_GROUPS) == 0) kept.groups.clear();
  if ((needs & CF_NEEDS_COSTS) == 0) {
    kept.costs.clear();
    kept.row_costs.clear();
  }
  if ((needs & CF_NEEDS_TRAINING_TARGET) == 0) {
    kept.training_class_weights.clear();
    kept.training_mean = std::numeric_limits<double>::quiet_NaN();
  }
  return kept;
}

// Whether the metric says itself, before any call, that it cannot do without costs.
bool AsksForCosts(const Spec& spec, const MetricRows& rows) {
  const auto* table = spec.component().capability<cf_cap_check>(CF_CAP_CHECK);
  if (table == nullptr) return false;
  std::vector<const char*> names;
  for (const std::string& name : rows.class_names) names.push_back(name.c_str());
  cf_shape shape{};
  shape.struct_size = sizeof shape;
  shape.n_rows = rows.size();
  shape.n_classes = rows.num_classes();
  shape.class_names = names.data();
  const Reply reply = ProbeCall(spec, {}, [&](const cf_call* call) {
    return table->check(call, spec.args().data(), spec.args().size(), &shape);
  });
  return !reply.ok();
}

void MetricNeeds(CheckContext& context) {
  const std::uint32_t needs = context.component().metric->needs;
  for (const MetricCase& c : MakeMetricCases(context)) {
    const Scored scored = Score(*c.spec, OnlyNeeded(c.rows, needs));
    const std::string improper = FindImproper(scored.reply);
    if (!improper.empty() || (!scored.ok() && !AsksForCosts(*c.spec, c.rows))) {
      context.Fail(c.Where() + ", with what it declares to need and nothing else, it ended with " +
                   scored.reply.Describe());
    }
  }
}

// ---- many-classes -------------------------------------------------------------------------------

void LookAtRows(CheckContext& context, const MetricCase& c, const MetricRows& rows,
                const std::string& what) {
  const Scored scored = Score(*c.spec, rows);
  std::string problem = FindUnusable(scored, *context.component().metric);
  if (problem.empty()) problem = FindImproper(scored.reply);
  if (!problem.empty()) context.Fail(c.Where() + what + ", " + problem);
}

void ManyClasses(CheckContext& context) {
  if ((context.component().metric->tasks & CF_TASK_MULTICLASS) == 0) {
    context.Skip("it does not declare CF_TASK_MULTICLASS");
  }
  const SpecPtr spec = context.Defaults();
  for (const std::int64_t n_classes : {3, 7, 40}) {
    const MetricCase c = MakeMetricCase(context, spec, {Task::kClassification, n_classes, 200});
    LookAtRows(context, c, c.rows, "");
    if (!c.expected.ok()) {
      context.Fail(c.Where() + " it has no value: " + c.expected.Describe());
    }
  }
}

// ---- extreme-values -----------------------------------------------------------------------------

void MetricExtremeValues(CheckContext& context) {
  const std::vector<double> extremes = {1e300, -1e300, 5e-324,
                                        -0.0,  1e-300, 1.7976931348623157e308};
  for (const MetricCase& c : MakeMetricCases(context)) {
    MetricRows values = c.rows, predictions = c.rows, weights = c.rows, certain = c.rows;
    for (std::size_t i = 0; i < values.truth_values.size(); ++i) {
      values.truth_values[i] = predictions.values[i] = extremes[i % extremes.size()];
    }
    for (std::int64_t i = 0; i < weights.size(); ++i) {
      weights.weights.push_back(i % 3 == 0 ? 1e300 : i % 3 == 1 ? 5e-324 : 1);
    }
    const std::size_t k = c.rows.class_names.size();
    for (std::size_t i = 0; i < certain.probabilities.size(); ++i) {
      const auto wrong = static_cast<std::size_t>(certain.truth_labels[i / k] + 1) % k;
      certain.probabilities[i] = i % k == wrong ? 1 : i / k % 2 == 0 ? 0 : 5e-324;
    }
    LookAtRows(context, c, values, " of truths up to 1.8e308");
    LookAtRows(context, c, predictions, " with predictions up to 1.8e308");
    LookAtRows(context, c, weights, " with weights of 5e-324 and 1e300");
    LookAtRows(context, c, certain, " with probabilities of 0, 5e-324 and 1");
  }
}

constexpr Check kMetricDataChecks[] = {
    {"metric-needs", CheckScope::kMetric, 4, false, "metric-smoke",
     "what is declared to be needed is enough", &MetricNeeds},
    {"many-classes", CheckScope::kMetric, 4, false, "metric-smoke",
     "3, 7 and 40 classes have a value", &ManyClasses},
    {"extreme-values", CheckScope::kMetric, 4, false, "metric-smoke",
     "the largest and smallest numbers give a value, a reason or a refusal", &MetricExtremeValues},
};

}  // namespace

std::span<const Check> MetricDataChecks() { return kMetricDataChecks; }

}  // namespace crossfold::check
