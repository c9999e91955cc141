// The law of crossfold.accumulate/1: blocks of any sizes give what score() gives for all rows, byte
// for byte, undefined values and their reasons included.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "crossfold_plugin/random.hpp"
#include "engine/plugin/plugin_call.h"
#include "unit/plugins/bundled_plugins.h"

namespace crossfold::laws {

// What a metric is shown, row after row. Lists that do not apply stay empty; the one of the truth
// says how many rows there are.
struct MetricRows {
  std::vector<std::string> class_names = {};  // empty = regression
  std::vector<std::int32_t> truth_labels = {}, labels = {};
  std::vector<double> truth_values = {}, values = {};
  std::vector<double> probabilities = {};  // rows x classes
  std::vector<double> weights = {};
  std::vector<std::int64_t> groups = {};
  std::vector<double> costs = {};                   // classes x classes
  std::vector<double> row_costs = {};               // rows x classes
  std::vector<double> training_class_weights = {};  // of the classes
  double training_mean = std::numeric_limits<double>::quiet_NaN();

  std::int64_t size() const {
    return static_cast<std::int64_t>(std::max(truth_labels.size(), truth_values.size()));
  }
};

// The same for C, whole or in part. REQUIRES: the rows outlive it.
class MetricBlocks {
 public:
  explicit MetricBlocks(const MetricRows& rows) : rows_(rows) {
    for (const std::string& name : rows.class_names) names_.push_back(name.c_str());
  }

  // Rows [first, first + n).
  cf_metric_input Block(std::int64_t first, std::int64_t n) const {
    const auto k = static_cast<std::int64_t>(names_.size());
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
  cf_metric_input Whole() const { return Block(0, rows_.size()); }
  // What begin() gets: no rows.
  cf_metric_input About() const {
    cf_metric_input about = Block(0, 0);
    about.truth_labels = about.labels = nullptr;
    about.truth_values = about.values = about.probabilities = about.weights = nullptr;
    about.groups = nullptr;
    about.row_costs = nullptr;
    return about;
  }

 private:
  template <class T>
  static const T* PointerTo(const std::vector<T>& entries, std::int64_t first) {
    return entries.empty() ? nullptr : entries.data() + first;
  }

  const MetricRows& rows_;
  std::vector<const char*> names_;
};

// What a metric said: a value, or a status and a text.
struct Verdict {
  cf_status status = CF_OK;
  std::string message;
  double value = std::numeric_limits<double>::quiet_NaN();

  bool operator==(const Verdict& other) const {
    return status == other.status && message == other.message &&
           std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(other.value);
  }
};

inline void PrintTo(const Verdict& verdict, std::ostream* out) {
  *out << StatusName(verdict.status) << " '" << verdict.message << "' "
       << testing::PrintToString(verdict.value);
}

inline Verdict VerdictOf(CallResult result, double value) {
  if (!result.ok()) value = std::numeric_limits<double>::quiet_NaN();
  return {result.status, std::move(result.message), value};
}

inline Verdict ScoreWhole(const Spec& metric, const MetricRows& rows) {
  const MetricBlocks blocks(rows);
  const cf_metric_input input = blocks.Whole();
  double value = std::numeric_limits<double>::quiet_NaN();
  CallResult result = CallPlugin(metric.component(), {}, [&](const cf_call* call) {
    return metric.component().metric->score(call, metric.args().data(), metric.args().size(),
                                            &input, &value);
  });
  return VerdictOf(std::move(result), value);
}

// `sizes` of consecutive blocks; they sum to the number of rows.
inline Verdict ScoreInBlocks(const Spec& metric, const MetricRows& rows,
                             const std::vector<std::int64_t>& sizes) {
  const auto* table = metric.component().capability<cf_cap_accumulate>(CF_CAP_ACCUMULATE);
  const MetricBlocks blocks(rows);
  cf_accumulator* counted = nullptr;
  double value = std::numeric_limits<double>::quiet_NaN();
  CallResult result = CallPlugin(metric.component(), {}, [&](const cf_call* call) {
    const cf_metric_input about = blocks.About();
    cf_status status =
        table->begin(call, metric.args().data(), metric.args().size(), &about, &counted);
    std::int64_t first = 0;
    for (const std::int64_t size : sizes) {
      if (status != CF_OK) return status;
      const cf_metric_input block = blocks.Block(first, size);
      status = table->add(call, counted, &block);
      first += size;
    }
    return status == CF_OK ? table->finish(call, counted, &value) : status;
  });
  if (counted != nullptr) table->destroy(metric.component().info(), counted);
  return VerdictOf(std::move(result), value);
}

// Random sizes of consecutive blocks, some of them empty, that sum to `n_rows`.
inline std::vector<std::int64_t> RandomSizes(std::int64_t n_rows, plugin::Random& random) {
  std::vector<std::int64_t> sizes;
  while (n_rows > 0) {
    const auto most = static_cast<std::uint64_t>(random.Below(2) == 0 ? n_rows : 3);
    sizes.push_back(std::min(n_rows, static_cast<std::int64_t>(random.Below(most + 1))));
    n_rows -= sizes.back();
  }
  return sizes;
}

// Checks the law for one metric on the rows of `rows`: single rows, all rows, random blocks.
inline void ExpectAccumulates(const Spec& metric, const MetricRows& rows,
                              std::uint64_t seed = 20260105) {
  ASSERT_NE(metric.component().capability<cf_cap_accumulate>(CF_CAP_ACCUMULATE), nullptr)
      << metric.ToString() << " does not offer " << CF_CAP_ACCUMULATE;
  const Verdict whole = ScoreWhole(metric, rows);
  std::vector<std::vector<std::int64_t>> borders = {
      {rows.size()}, std::vector<std::int64_t>(static_cast<std::size_t>(rows.size()), 1)};
  plugin::Random random(seed);
  for (int i = 0; i < 20; ++i) borders.push_back(RandomSizes(rows.size(), random));
  for (const std::vector<std::int64_t>& sizes : borders) {
    EXPECT_EQ(ScoreInBlocks(metric, rows, sizes), whole)
        << metric.ToString() << " in blocks of " << testing::PrintToString(sizes) << " rows";
  }
}

}  // namespace crossfold::laws
