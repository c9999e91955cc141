#include "check/metric_calls.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "crossfold_plugin/random.hpp"
#include "engine/text/format_number.h"

namespace crossfold::check {
namespace {

// `width` entries a row.
template <class T>
std::vector<T> ChosenOf(const std::vector<T>& entries, const RowIds& chosen, std::size_t width) {
  std::vector<T> taken;
  if (entries.empty()) return taken;
  for (const std::int64_t row : chosen) {
    const auto first = entries.begin() + row * static_cast<std::int64_t>(width);
    taken.insert(taken.end(), first, first + static_cast<std::int64_t>(width));
  }
  return taken;
}

// Entry c of every row goes to order[c].
void PermuteClasses(std::vector<double>& entries, const std::vector<std::int32_t>& order) {
  const std::vector<double> from = entries;
  const std::size_t k = order.size();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    entries[i / k * k + static_cast<std::size_t>(order[i % k])] = from[i];
  }
}

// A random class other than `truth`, with equal probabilities.
std::int32_t OtherClass(std::int32_t truth, std::int64_t n_classes, plugin::Random& random) {
  if (n_classes < 2) return truth;
  const auto others = static_cast<std::uint64_t>(n_classes - 1);
  const auto drawn = static_cast<std::int64_t>(random.Below(others));
  return static_cast<std::int32_t>((truth + 1 + drawn) % n_classes);
}

// Sums to 1, and is highest for `label`.
void AddProbabilities(MetricRows& rows, std::int32_t label, plugin::Random& random) {
  std::vector<double> p;
  double sum = 0;
  for (std::int64_t c = 0; c < rows.num_classes(); ++c) {
    p.push_back(0.05 + random.Uniform() + (c == label ? 1.2 : 0));
    sum += p.back();
  }
  for (const double x : p) rows.probabilities.push_back(x / sum);
}

void PredictClasses(MetricRows& rows, double share_right, plugin::Random& random) {
  for (const std::int32_t truth : rows.truth_labels) {
    const bool is_right = random.Uniform() < share_right;
    const std::int32_t other = OtherClass(truth, rows.num_classes(), random);
    rows.labels.push_back(is_right ? truth : other);
    if (share_right < 1) {
      AddProbabilities(rows, rows.labels.back(), random);
      continue;
    }
    for (std::int64_t c = 0; c < rows.num_classes(); ++c) {
      rows.probabilities.push_back(c == truth ? 1 : 0);
    }
  }
}

// Every choice and both values of every boolean, one at a time.
std::vector<SpecPtr> Settings(const SpecPtr& defaults) {
  std::vector<SpecPtr> settings = {defaults};
  for (const ParamSpec& param : defaults->component().params) {
    std::vector<Value> values;
    if (param.type == CF_P_BOOL) values = {true, false};
    if (param.type == CF_P_CHOICE) values.assign(param.choices.begin(), param.choices.end());
    for (const Value& value : values) {
      if (ToText(value) == ToText(param.default_value)) continue;
      const SpecPtr spec = SpecWith(*defaults, {{param.name, value}});
      if (spec != nullptr) settings.push_back(spec);  // else it matters only together with others
    }
  }
  return settings;
}

}  // namespace

std::int64_t MetricRows::size() const {
  return static_cast<std::int64_t>(std::max(truth_labels.size(), truth_values.size()));
}

MetricRows MetricRows::Chosen(const RowIds& chosen) const {
  const std::size_t k = class_names.size();
  MetricRows rows = *this;
  rows.truth_labels = ChosenOf(truth_labels, chosen, 1);
  rows.labels = ChosenOf(labels, chosen, 1);
  rows.truth_values = ChosenOf(truth_values, chosen, 1);
  rows.values = ChosenOf(values, chosen, 1);
  rows.probabilities = ChosenOf(probabilities, chosen, k);
  rows.weights = ChosenOf(weights, chosen, 1);
  rows.groups = ChosenOf(groups, chosen, 1);
  rows.row_costs = ChosenOf(row_costs, chosen, k);
  return rows;
}

MetricRows MetricRows::WithClassOrder(const std::vector<std::int32_t>& order) const {
  const std::size_t k = class_names.size();
  MetricRows rows = *this;
  for (std::size_t c = 0; c < k; ++c) {
    rows.class_names[static_cast<std::size_t>(order[c])] = class_names[c];
  }
  for (auto* labels_of : {&rows.truth_labels, &rows.labels}) {
    for (std::int32_t& label : *labels_of) label = order[static_cast<std::size_t>(label)];
  }
  PermuteClasses(rows.probabilities, order);
  PermuteClasses(rows.row_costs, order);
  PermuteClasses(rows.training_class_weights, order);
  PermuteClasses(rows.costs, order);
  const std::vector<double> from = rows.costs;
  for (std::size_t i = 0; i < from.size(); ++i) {
    rows.costs[static_cast<std::size_t>(order[i / k]) * k + i % k] = from[i];
  }
  return rows;
}

MetricBlocks::MetricBlocks(const MetricRows& rows) : rows_(rows) {
  for (const std::string& name : rows.class_names) names_.push_back(name.c_str());
}

cf_metric_input MetricBlocks::Block(std::int64_t first, std::int64_t n) const {
  const std::int64_t k = rows_.num_classes();
  cf_metric_input input{};
  input.struct_size = sizeof input;
  input.n_rows = n;
  input.n_classes = k;
  input.class_names = PointerTo(names_, 0);
  input.truth_labels = PointerTo(rows_.truth_labels, first);
  input.truth_values = PointerTo(rows_.truth_values, first);
  input.labels = PointerTo(rows_.labels, first);
  input.values = PointerTo(rows_.values, first);
  input.probabilities = PointerTo(rows_.probabilities, first * k);
  input.weights = PointerTo(rows_.weights, first);
  input.groups = PointerTo(rows_.groups, first);
  input.costs = PointerTo(rows_.costs, 0);
  input.row_costs = PointerTo(rows_.row_costs, first * k);
  input.training_class_weights = PointerTo(rows_.training_class_weights, 0);
  input.training_mean = rows_.training_mean;
  return input;
}

cf_metric_input MetricBlocks::About() const {
  cf_metric_input about = Block(0, 0);
  about.truth_labels = about.labels = nullptr;
  about.truth_values = about.values = about.probabilities = about.weights = nullptr;
  about.groups = nullptr;
  about.row_costs = nullptr;
  return about;
}

std::string Describe(const MetricShape& shape) {
  if (shape.task == Task::kRegression) return "regression";
  return "classification of " + std::to_string(shape.n_classes) + " classes";
}

MetricRows MakeTruth(const MetricShape& shape, std::uint64_t seed) {
  plugin::Random random(seed);
  MetricRows rows;
  const bool is_regression = shape.task == Task::kRegression;
  const std::int64_t k = is_regression ? 0 : shape.n_classes;
  for (std::int64_t c = 0; c < k; ++c) {
    rows.class_names.push_back("k" + std::to_string(c));
    rows.training_class_weights.push_back(10 + static_cast<double>(c));
    for (std::int64_t predicted = 0; predicted < k; ++predicted) {
      rows.costs.push_back(predicted == c ? 0 : 0.5 + random.Uniform());
    }
  }
  if (is_regression) rows.training_mean = 2.1;
  for (std::int64_t i = 0; i < shape.n_rows; ++i) {
    rows.groups.push_back(i % 7);
    if (is_regression) {
      rows.truth_values.push_back(2 + random.Normal());
      continue;
    }
    // Class 0 is the most frequent one.
    const std::int64_t label =
        i < 3 * k ? i % k : static_cast<std::int64_t>(random.Below(2)) * (i % k);
    rows.truth_labels.push_back(static_cast<std::int32_t>(label));
    for (std::int64_t c = 0; c < k; ++c) {
      rows.row_costs.push_back(c == label ? 0 : 0.5 + random.Uniform());
    }
  }
  return rows;
}

MetricRows Predict(MetricRows truth, double share_right, std::uint64_t seed) {
  plugin::Random random(seed);
  MetricRows rows = std::move(truth);
  rows.labels.clear();
  rows.values.clear();
  rows.probabilities.clear();
  if (!rows.class_names.empty()) PredictClasses(rows, share_right, random);
  for (const double x : rows.truth_values) {
    rows.values.push_back(x + 3 * (1 - share_right) * random.Normal());
  }
  return rows;
}

std::string Scored::Describe() const { return ok() ? FormatShortest(value) : reply.Describe(); }

Scored Score(const Spec& spec, const cf_metric_input& input, const ProbeOptions& options) {
  Scored scored;
  scored.reply = ProbeCall(spec, options, [&](const cf_call* call) {
    return spec.component().metric->score(call, spec.args().data(), spec.args().size(), &input,
                                          &scored.value);
  });
  return scored;
}

Scored Score(const Spec& spec, const MetricRows& rows, const ProbeOptions& options) {
  return Score(spec, MetricBlocks(rows).Whole(), options);
}

std::string Difference(const Scored& got, const Scored& expected, double tolerance) {
  const std::string text = "the value is " + got.Describe() + " instead of " + expected.Describe();
  if (!got.ok() || !expected.ok()) {
    if (got.ok() != expected.ok()) return text;
    return tolerance > 0 || got.Describe() == expected.Describe() ? "" : text;
  }
  if (std::bit_cast<std::uint64_t>(got.value) == std::bit_cast<std::uint64_t>(expected.value)) {
    return "";
  }
  const double distance = std::abs(got.value - expected.value);
  const bool is_close = distance <= tolerance * std::max(1.0, std::abs(expected.value));
  return tolerance > 0 && is_close ? "" : text;
}

std::string FindUnusable(const Scored& scored, const cf_metric& metric) {
  if (!scored.ok()) return "";
  constexpr double kRounding = 1e-9;
  const double low = std::min(metric.worst, metric.best),
               high = std::max(metric.worst, metric.best);
  const double value = scored.value;
  if (std::isnan(value)) return "the value is a NaN";
  if (std::isinf(value)) {
    return value == low || value == high ? "" : "the value is infinite, which is not a bound";
  }
  if (value >= low - kRounding && value <= high + kRounding) return "";
  return "the value is " + FormatShortest(value) + ", outside of " + FormatShortest(low) + " to " +
         FormatShortest(high);
}

std::string MetricCase::Where() const {
  return (spec->given().empty() ? "" : "as " + spec->ToString() + " ") + std::string("on a ") +
         Describe(shape);
}

MetricCase MakeMetricCase(CheckContext& context, const SpecPtr& spec, const MetricShape& shape) {
  MetricCase made{spec, shape, MakeTruth(shape, context.SeedOf("truth")), {}};
  made.rows = Predict(std::move(made.rows), 0.67, context.SeedOf("predictions"));
  made.expected = Score(*spec, made.rows);
  if (made.expected.ok() || shape.task != Task::kClassification) return made;
  const SpecPtr named = SpecWith(*spec, {{"positive", made.rows.class_names.back()}});
  if (named == nullptr) return made;  // there is no such parameter
  Scored scored = Score(*named, made.rows);
  if (scored.ok()) {
    made.spec = named;
    made.expected = std::move(scored);
  }
  return made;
}

std::vector<MetricShape> MetricShapes(const Component& component) {
  const std::uint32_t tasks = component.metric->tasks;
  std::vector<MetricShape> shapes;
  if ((tasks & CF_TASK_BINARY) != 0) shapes.push_back({Task::kClassification, 2});
  if ((tasks & CF_TASK_MULTICLASS) != 0) shapes.push_back({Task::kClassification, 3});
  if ((tasks & CF_TASK_REGRESSION) != 0) shapes.push_back({Task::kRegression, 0});
  return shapes;
}

std::vector<MetricCase> MakeMetricCases(CheckContext& context) {
  std::vector<MetricCase> cases;
  for (const MetricShape& shape : MetricShapes(context.component())) {
    for (const SpecPtr& spec : Settings(context.Defaults())) {
      MetricCase made = MakeMetricCase(context, spec, shape);
      if (made.expected.ok()) cases.push_back(std::move(made));
    }
  }
  if (cases.empty()) context.Skip("it has no value for any of the rows of this check");
  return cases;
}

}  // namespace crossfold::check
