// Scores rows that a check made with a metric, directly through its C table.
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

// The input of a metric, row by row. Lists that do not apply stay empty.
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
  // The rows in which row i is the old row chosen[i]; rows may be repeated.
  MetricRows Chosen(const RowIds& chosen) const;
  // The rows in which class c has the index order[c] everywhere.
  MetricRows WithClassOrder(const std::vector<std::int32_t>& order) const;
};

// The same as C structs, completely or in part. REQUIRES: the rows outlive it.
class MetricBlocks {
 public:
  explicit MetricBlocks(const MetricRows& rows);

  // The rows [first, first + n).
  cf_metric_input Block(std::int64_t first, std::int64_t n) const;
  cf_metric_input Whole() const { return Block(0, rows_.size()); }
  // The input of begin() of crossfold.accumulate/1, without rows.
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

// Rows in which every class occurs, with all inputs except weights.
MetricRows MakeTruth(const MetricShape& shape, std::uint64_t seed);
// The same with predictions of which about this share is right; predictions that are right with a
// smaller share are right with a larger one. 1 = perfect predictions, which are certain of the
// truth. Labels are those of the highest probability.
MetricRows Predict(MetricRows truth, double share_right, std::uint64_t seed);

// The result of a metric: a value, or a status and a message.
struct Scored {
  double value = std::numeric_limits<double>::quiet_NaN();
  Reply reply;

  bool ok() const { return reply.ok(); }
  std::string Describe() const;  // "0.25", "undefined: 'there are no rows'"
};
Scored Score(const Spec& spec, const cf_metric_input& input, const ProbeOptions& options = {});
Scored Score(const Spec& spec, const MetricRows& rows, const ProbeOptions& options = {});

// The difference, as in "the value is 0.25 instead of 0.5"; "" = they are equal. A tolerance of 0
// means byte for byte, reasons included; otherwise values are within it, relative to values above
// 1, and all failures are equal.
std::string Difference(const Scored& got, const Scored& expected, double tolerance = 0);

// Why a value cannot be given to users: it must be a number between the bounds, infinite only if a
// bound is. "" = it can, or there is none.
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
// The cases for every task that the metric declares, under its defaults and every other choice; if
// needed, the last class is positive. Skips the check if there is no value for any.
std::vector<MetricCase> MakeMetricCases(CheckContext& context);
// The shapes of the declared tasks.
std::vector<MetricShape> MetricShapes(const Component& component);
// The metric under `spec`, or with the last class as the positive one if only that gives a value.
MetricCase MakeMetricCase(CheckContext& context, const SpecPtr& spec, const MetricShape& shape);

}  // namespace crossfold::check
