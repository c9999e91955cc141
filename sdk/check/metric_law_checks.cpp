// Checks of what must not affect a metric: order, names, blocks, and how rows are counted.
#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/metric_calls.h"
#include "check/proper_refusal.h"
#include "check/read_only_pages.h"
#include "crossfold/error.h"

namespace crossfold::check {
namespace {

// Sums may be rounded differently.
constexpr double kRounding = 1e-12;

void LookAtChange(CheckContext& context, const MetricCase& c, const std::string& how,
                  const Scored& got, double tolerance) {
  const std::string difference = Difference(got, c.expected, tolerance);
  if (!difference.empty()) context.Fail(c.Where() + ", " + how + ", " + difference);
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

// The same with the class in the parameter `positive`, if there is one, named as it is now.
SpecPtr WithPositive(const Spec& spec, const std::string& name) {
  try {
    return spec.With({{"positive", name}});
  } catch (const Error&) {
    return nullptr;
  }
}

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
    const SpecPtr spec =
        HasPositive(*c.spec) ? WithPositive(*c.spec, renamed.class_names.back()) : c.spec;
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
    const SpecPtr named = WithPositive(*c.spec, c.rows.class_names.back());
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
    const std::string difference = Difference(Score(*c.spec, weighted), expected, 1e-10);
    if (difference.empty()) continue;
    context.Fail(c.Where() + ", with weights 0 to 3 instead of rows repeated as often, " +
                 difference);
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
    const std::string difference = Difference(ScoreInBlocks(*c.spec, rows, n, block), whole);
    if (difference.empty()) continue;
    context.Fail(c.Where() + what + ", in blocks of " + std::to_string(block) + " rows, " +
                 difference);
  }
}

void CapAccumulate(CheckContext& context) {
  if (context.component().capability<cf_cap_accumulate>(CF_CAP_ACCUMULATE) == nullptr) {
    context.Skip("it does not offer " CF_CAP_ACCUMULATE);
  }
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

constexpr Check kMetricLawChecks[] = {
    {"row-order", CheckScope::kMetric, 3, false, "fit-idempotent",
     "permuting the rows changes nothing", &MetricRowOrder},
    {"class-names", CheckScope::kMetric, 4, false, "fit-idempotent",
     "other class names change nothing", &MetricClassNames},
    {"class-order", CheckScope::kMetric, 4, true, "fit-idempotent",
     "another order of the classes changes nothing", &MetricClassOrder},
    {"weights", CheckScope::kMetric, 3, false, "fit-idempotent",
     "a weight counts as that number of copies of the row", &MetricWeights},
    {"cap-accumulate", CheckScope::kMetric, 3, false, "fit-idempotent",
     "blocks of any sizes give the value of all rows, byte for byte", &CapAccumulate},
    {"input-untouched", CheckScope::kMetric, 3, false, "fit-idempotent",
     "nothing is written into the rows", &MetricInputUntouched},
};

}  // namespace

std::span<const Check> MetricLawChecks() { return kMetricLawChecks; }

}  // namespace crossfold::check
