// Checks of metrics.
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/library_random.h"
#include "check/metric_calls.h"
#include "check/probe_call.h"
#include "check/table_copy.h"
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
    context.FailIf(made.Where() + " ", FindUnusable(made.expected, *context.component().metric));
  }
}

// ---- fit-idempotent, seed-used ------------------------------------------------------------------

void MetricFitIdempotent(CheckContext& context) {
  context.NeedsDeterminism(CF_DET_SEEDED, "CF_DET_SEEDED");
  for (const MetricCase& c : MakeMetricCases(context)) {
    Score(*c.spec, Predict(c.rows, 0.3, 9));
    ReseedLibrary(77);  // whoever draws from the C library gets other numbers now
    context.FailIf(c.Where() + ", the second time, ",
                   Difference(Score(*c.spec, c.rows), c.expected));
  }
}

void MetricSeedUsed(CheckContext& context) {
  const bool is_unseeded = (context.component().determinism & CF_DET_UNSEEDED) != 0;
  bool draws = false, differs = false;
  for (const MetricCase& c : MakeMetricCases(context)) {
    draws |= c.expected.reply.n_random > 0;
    for (std::uint64_t seed = 2; seed <= 5; ++seed) {
      const std::string difference = Difference(Score(*c.spec, c.rows, {.seed = seed}), c.expected);
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
      context.FailIf(c.Where() + ", with " + FormatShortest(share) + " of the predictions right, ",
                     FindUnusable(Score(*c.spec, Predict(c.rows, share, i)), metric));
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
  context.FailIf(c.Where() + ", of " + name + ", ", problem);
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

// Checks of what must not affect a metric: order, names, blocks, and how rows are counted.

// Sums may be rounded differently.
constexpr double kRounding = 1e-12;

void LookAtChange(CheckContext& context, const MetricCase& c, const std::string& how,
                  const Scored& got, double tolerance) {
  context.FailIf(c.Where() + ", " + how + ", ", Difference(got, c.expected, tolerance));
}

// ---- row-order ----------------------------------------------------------------------------------

void MetricRowOrder(CheckContext& context) {
  const bool is_exact = (context.component().determinism & CF_DET_ROW_ORDER) != 0;
  for (const MetricCase& c : MakeMetricCases(context)) {
    const RowIds order = ShuffledRows(c.rows.size(), context.RandomOf("order"));
    LookAtChange(context, c, "after permuting the rows", Score(*c.spec, c.rows.Chosen(order)),
                 is_exact ? 0 : kRounding);
  }
}

// ---- class-names, class-order -------------------------------------------------------------------

bool HasPositive(const Spec& spec) { return spec.given().contains("positive"); }

std::vector<MetricCase> MetricClassifications(CheckContext& context) {
  std::vector<MetricCase> cases = MakeMetricCases(context);
  std::erase_if(cases, [](const MetricCase& c) { return c.rows.class_names.empty(); });
  if (cases.empty()) context.Skip("it is not one of classifications");
  return cases;
}

void MetricClassNames(CheckContext& context) {
  for (const MetricCase& c : MetricClassifications(context)) {
    MetricRows renamed = c.rows;
    for (std::size_t k = 0; k < renamed.class_names.size(); ++k) {
      renamed.class_names[k] = std::string(1, static_cast<char>('z' - k)) + " \xc3\xa4";
    }
    const SpecPtr spec = HasPositive(*c.spec)
                             ? SpecWith(*c.spec, {{"positive", renamed.class_names.back()}})
                             : c.spec;
    LookAtChange(context, c, "after giving the classes other names", Score(*spec, renamed), 0);
  }
}

// Under the defaults: another setting may be about ordered classes.
void MetricClassOrder(CheckContext& context) {
  for (const MetricCase& c : MetricClassifications(context)) {
    if (!c.spec->given().empty() && !HasPositive(*c.spec)) continue;
    const std::int64_t k = c.rows.num_classes();
    std::vector<std::int32_t> order(static_cast<std::size_t>(k));
    for (std::int64_t i = 0; i < k; ++i) {
      order[static_cast<std::size_t>(i)] = static_cast<std::int32_t>((i + 1) % k);
    }
    // The positive class by default is the last one of two; here it is the same one by name.
    const SpecPtr named = SpecWith(*c.spec, {{"positive", c.rows.class_names.back()}});
    const SpecPtr& spec = named == nullptr ? c.spec : named;
    LookAtChange(context, c, "after permuting the classes",
                 Score(*spec, c.rows.WithClassOrder(order)), kRounding);
  }
}

// ---- weights ------------------------------------------------------------------------------------

void MetricWeights(CheckContext& context) {
  for (const MetricCase& c : MakeMetricCases(context)) {
    MetricRows ones = c.rows;
    ones.weights.assign(static_cast<std::size_t>(ones.size()), 1);
    LookAtChange(context, c, "with weights of 1 instead of none", Score(*c.spec, ones), kRounding);
    MetricRows weighted = c.rows;
    RowIds repeated;
    for (std::int64_t i = 0; i < weighted.size(); ++i) {
      const std::int64_t times = (i * 5 + i / 3) % 4;
      weighted.weights.push_back(static_cast<double>(times));
      repeated.insert(repeated.end(), static_cast<std::size_t>(times), i);
    }
    const Scored expected = Score(*c.spec, c.rows.Chosen(repeated));
    context.FailIf(c.Where() + ", with weights 0 to 3 instead of rows repeated as often, ",
                   Difference(Score(*c.spec, weighted), expected, 1e-10));
  }
}

// ---- cap-accumulate -----------------------------------------------------------------------------

// The first `n` rows.
Scored ScoreInBlocks(const Spec& spec, const MetricRows& rows, std::int64_t n, std::int64_t block) {
  const auto* table = spec.component().capability<cf_cap_accumulate>(CF_CAP_ACCUMULATE);
  const MetricBlocks blocks(rows);
  cf_accumulator* counted = nullptr;
  Scored scored;
  scored.reply = ProbeCall(spec, {}, [&](const cf_call* call) {
    const cf_metric_input about = blocks.About();
    cf_status status = table->begin(call, spec.args().data(), spec.args().size(), &about, &counted);
    if (status != CF_OK) counted = nullptr;
    for (std::int64_t first = 0; first < n && status == CF_OK; first += block) {
      const cf_metric_input input = blocks.Block(first, std::min(block, n - first));
      status = table->add(call, counted, &input);
    }
    return status == CF_OK ? table->finish(call, counted, &scored.value) : status;
  });
  if (counted != nullptr) table->destroy(spec.component().info(), counted);
  if (!scored.ok()) scored.value = std::numeric_limits<double>::quiet_NaN();
  return scored;
}

void LookAtBlocks(CheckContext& context, const MetricCase& c, const MetricRows& rows,
                  std::int64_t n, const std::string& what) {
  const Scored whole = Score(*c.spec, MetricBlocks(rows).Block(0, n));
  for (const std::int64_t block : {std::int64_t{1}, std::int64_t{7}, n + 1}) {
    context.FailIf(c.Where() + what + ", in blocks of " + std::to_string(block) + " rows, ",
                   Difference(ScoreInBlocks(*c.spec, rows, n, block), whole));
  }
}

void CapAccumulate(CheckContext& context) {
  context.NeedsCapability<cf_cap_accumulate>(CF_CAP_ACCUMULATE);
  for (const MetricCase& c : MakeMetricCases(context)) {
    MetricRows weighted = c.rows;
    for (std::int64_t i = 0; i < weighted.size(); ++i) {
      weighted.weights.push_back(0.1 * static_cast<double>(1 + i % 9));
    }
    LookAtBlocks(context, c, c.rows, c.rows.size(), "");
    LookAtBlocks(context, c, weighted, weighted.size(), " with weights");
    LookAtBlocks(context, c, c.rows.Chosen({1, 1, 1}), 3, " of three equal rows");
    LookAtBlocks(context, c, c.rows, 0, " without rows");
  }
}

// ---- input-untouched ----------------------------------------------------------------------------

void MetricInputUntouched(CheckContext& context) {
  for (const MetricCase& c : MakeMetricCases(context)) {
    const MetricRows& rows = c.rows;
    ReadOnlyPages pages;
    std::vector<const char*> names;
    for (const std::string& name : rows.class_names) {
      names.push_back(pages.Copy(name.c_str(), name.size() + 1));
    }
    cf_metric_input input = MetricBlocks(rows).Whole();
    input.class_names = pages.Copy(names);
    input.truth_labels = pages.Copy(rows.truth_labels);
    input.labels = pages.Copy(rows.labels);
    input.truth_values = pages.Copy(rows.truth_values);
    input.values = pages.Copy(rows.values);
    input.probabilities = pages.Copy(rows.probabilities);
    input.groups = pages.Copy(rows.groups);
    input.costs = pages.Copy(rows.costs);
    input.row_costs = pages.Copy(rows.row_costs);
    input.training_class_weights = pages.Copy(rows.training_class_weights);
    const cf_metric_input* sealed = pages.Copy(&input, 1);
    pages.Seal();
    LookAtChange(context, c, "with the rows in read-only pages", Score(*c.spec, *sealed), 0);
  }
}

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
  context.FailIf(c.Where() + what + ", ", problem);
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

constexpr Check kMetricChecks[] = {
    {"metric-smoke", kMetric, 2, false, "descriptor-complete",
     "every declared task has a value within the bounds", &MetricSmoke},
    {"fit-idempotent", kMetric, 3, false, "metric-smoke", "the same rows get the same value",
     &MetricFitIdempotent},
    {"seed-used", kMetric, 4, false, "fit-idempotent",
     "the seed matters if and only if random numbers are drawn", &MetricSeedUsed},
    {"metric-bounds", kMetric, 3, false, "metric-smoke",
     "values are within the bounds, and perfect predictions get the best one", &MetricBounds},
    {"metric-direction", kMetric, 3, false, "metric-smoke", "better predictions get better values",
     &MetricDirection},
    {"metric-undefined", kMetric, 3, false, "metric-smoke",
     "an undefined value has a reason, and no value is a NaN", &MetricUndefined},
    {"row-order", kMetric, 3, false, "fit-idempotent", "permuting the rows changes nothing",
     &MetricRowOrder},
    {"class-names", kMetric, 4, false, "fit-idempotent", "other class names change nothing",
     &MetricClassNames},
    {"class-order", kMetric, 4, true, "fit-idempotent",
     "another order of the classes changes nothing", &MetricClassOrder},
    {"weights", kMetric, 3, false, "fit-idempotent",
     "a weight counts as that number of copies of the row", &MetricWeights},
    {"cap-accumulate", kMetric, 3, false, "fit-idempotent",
     "blocks of any sizes give the value of all rows, byte for byte", &CapAccumulate},
    {"input-untouched", kMetric, 3, false, "fit-idempotent", "nothing is written into the rows",
     &MetricInputUntouched},
    {"metric-needs", kMetric, 4, false, "metric-smoke", "what is declared to be needed is enough",
     &MetricNeeds},
    {"many-classes", kMetric, 4, false, "metric-smoke", "3, 7 and 40 classes have a value",
     &ManyClasses},
    {"extreme-values", kMetric, 4, false, "metric-smoke",
     "the largest and smallest numbers give a value, a reason or a refusal", &MetricExtremeValues},
};

}  // namespace

std::span<const Check> MetricChecks() { return kMetricChecks; }

}  // namespace crossfold::check
