// What the tests of the bundled metrics share: truths, predictions and their scores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/dataset.h"
#include "crossfold/outcome.h"
#include "crossfold/score.h"
#include "engine/plugin/plugin_call.h"
#include "unit/plugins/bundled_plugins.h"

namespace crossfold {

using Labels = std::vector<std::int32_t>;

// A classification whose rows have these true classes (called A, B, C ...) and weights (empty = no
// weights).
inline std::shared_ptr<const Dataset> TruthData(const Labels& truth, std::int32_t n_classes,
                                                const std::vector<double>& weights = {}) {
  std::vector<std::string> names;
  for (std::int32_t c = 0; c < n_classes; ++c) names.emplace_back(1, static_cast<char>('A' + c));
  std::vector<Column> columns;
  columns.reserve(2);
  columns.push_back(Column::Categories("class", truth, names));
  if (!weights.empty()) columns.push_back(Column::Doubles("weight", weights));
  Roles roles;
  roles.target = "class";
  if (!weights.empty()) roles.weights = "weight";
  return Dataset::Create("truth", std::move(columns), roles);
}

inline std::vector<std::int64_t> FirstRows(std::size_t n) {
  std::vector<std::int64_t> rows(n);
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  return rows;
}

// The score of predicted labels for the first rows of the dataset.
inline Score ScoreLabels(std::string_view metric, const Dataset& data, const Labels& predicted,
                         const ParamValues& values = {}) {
  Prediction prediction;
  prediction.rows = FirstRows(predicted.size());
  prediction.labels = predicted;
  prediction.n_classes = data.num_classes();
  return ScorePrediction(*BundledSpec(Kind::kMetric, metric, values), data, prediction);
}

// The score of predicted probabilities (row-major) for all rows of the dataset. The metric must not
// look at the predicted labels: they are all class 0.
inline Score ScoreProbabilities(std::string_view metric, const Dataset& data,
                                const std::vector<double>& probabilities,
                                const ParamValues& values = {}) {
  Prediction prediction;
  prediction.rows = FirstRows(static_cast<std::size_t>(data.num_rows()));
  prediction.labels.assign(prediction.rows.size(), 0);
  prediction.n_classes = data.num_classes();
  prediction.probabilities = probabilities;
  return ScorePrediction(*BundledSpec(Kind::kMetric, metric, values), data, prediction);
}

// What the metric itself says about no rows at all, which ScorePrediction does not ask it.
inline CallResult ScoreNoRows(std::string_view metric) {
  const auto spec = BundledSpec(Kind::kMetric, metric, {});
  cf_metric_input input{};
  input.struct_size = sizeof input;
  input.n_classes = 2;
  return CallPlugin(spec->component(), {}, [&](const cf_call* call) {
    double value = 0;
    return spec->component().metric->score(call, spec->args().data(), spec->args().size(), &input,
                                           &value);
  });
}

}  // namespace crossfold
