// What a metric says about rows that a check made up, straight through its C table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "check/check_context.h"
#include "check/component_calls.h"
#include "check/probe_call.h"
#include "crossfold/dataset.h"
#include "crossfold/spec.h"

namespace crossfold::check {

// What a metric is shown, row after row. Lists that do not apply stay empty.
struct MetricRows {
  std::vector<std::string> class_names;  // empty = regression
  std::vector<std::int32_t> truth_labels, labels;
  std::vector<double> truth_values, values;
  std::vector<double> probabilities;  // rows x classes
  std::vector<double> weights;
  std::vector<std::int64_t> groups;
  std::vector<double> costs;                   // classes x classes
  std::vector<double> row_costs;               // rows x classes
  std::vector<double> training_class_weights;  // of the classes
  double training_mean = std::numeric_limits<double>::quiet_NaN();

  std::int64_t size() const;
  std::int64_t num_classes() const { return static_cast<std::int64_t>(class_names.size()); }
  // Row i becomes row chosen[i]; rows may be repeated.
  MetricRows Chosen(const RowIds& chosen) const;
  // Class c gets the place order[c], in everything.
  MetricRows WithClassOrder(const std::vector<std::int32_t>& order) const;
};

// The same for C, whole or in part. REQUIRES: the rows outlive it.
class MetricBlocks {
 public:
  explicit MetricBlocks(const MetricRows& rows);

  // Rows [first, first + n).
  cf_metric_input Block(std::int64_t first, std::int64_t n) const;
  cf_metric_input Whole() const { return Block(0, rows_.size()); }
  // What begin() of crossfold.accumulate/1 gets: no rows.
  cf_metric_input About() const;

 private:
  const MetricRows& rows_;
  std::vector<const char*> names_;
};

struct MetricShape {
  Task task = Task::kClassification;
  std::int64_t n_classes = 3;
  std::int64_t n_rows = 60;
};
// "classification of 3 classes", "regression"
std::string Describe(const MetricShape& shape);

// Rows in which every class occurs, with all that there is to know but weights.
MetricRows MakeTruth(const MetricShape& shape, std::uint64_t seed);
// The same with predictions of which about that share is right; what is right with less is right
// with more. 1 = perfect ones: certain of the truth. Labels are those of the highest probability.
MetricRows Predict(MetricRows truth, double share_right, std::uint64_t seed);

// What a metric said: a value, or a status and a text.
struct Scored {
  double value = std::numeric_limits<double>::quiet_NaN();
  Reply reply;

  bool ok() const { return reply.ok(); }
  std::string Describe() const;  // "0.25", "undefined: 'there are no rows'"
};
Scored Score(const Spec& spec, const cf_metric_input& input, const ProbeOptions& options = {});
Scored Score(const Spec& spec, const MetricRows& rows, const ProbeOptions& options = {});

// "the value is 0.25 instead of 0.5"; "" = they say the same. A tolerance of 0 means byte for byte,
// reasons included; otherwise values are within it, relative to values above 1, and a failure is as
// good as another one.
std::string Difference(const Scored& got, const Scored& expected, double tolerance = 0);

// Whether a value may be given to users: a number between the bounds, infinite only if a bound is.
// "" = it may, or there is none.
std::string FindUnusable(const Scored& scored, const cf_metric& metric);

// A metric under some settings, with rows for which it has a value.
struct MetricCase {
  SpecPtr spec;
  MetricShape shape;
  MetricRows rows;  // about two thirds are right
  Scored expected;

  // "on a classification of 3 classes", with the settings if there are any
  std::string Where() const;
};
// For every task that the metric declares, under its defaults and every other choice; where it asks
// for it, the last class is positive. Skips the check if it has a value for none.
std::vector<MetricCase> MakeMetricCases(CheckContext& context);
// The shapes of the declared tasks.
std::vector<MetricShape> MetricShapes(const Component& component);
// The metric under `spec`, or with the last class as the positive one if only that gives a value.
MetricCase MakeMetricCase(CheckContext& context, const SpecPtr& spec, const MetricShape& shape);

}  // namespace crossfold::check
