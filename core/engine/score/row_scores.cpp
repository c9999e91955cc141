#include "crossfold/row_scores.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/score.h"
#include "crossfold_plugin/compensated_sum.hpp"
#include "engine/score/evaluate_metrics.h"
#include "engine/score/metric_input.h"

namespace crossfold {
namespace {

RowScores Undefined(std::string reason, bool is_composed = false) {
  return {{}, {}, std::move(reason), is_composed};
}

RowScores EvaluateRows(const MetricList& metric, const cf_metric_input& all, CallSite& site) {
  RowScores rows;
  rows.values.reserve(static_cast<std::size_t>(all.n_rows));
  for (std::int64_t i = 0; i < all.n_rows; ++i) {
    cf_metric_input row = BlockOf(all, i, 1);
    row.weights = nullptr;  // a weight is of the row in the mean
    const Score score = EvaluateMetrics(metric, row, site).front();
    if (!score.defined) {
      return Undefined("it is not a mean over rows: of one row alone, " + score.undefined, true);
    }
    if (std::isinf(score.value)) {
      return Undefined("the score of row " + std::to_string(i + 1) + " is infinite");
    }
    rows.values.push_back(score.value);
  }
  if (all.weights != nullptr) rows.weights.assign(all.weights, all.weights + all.n_rows);
  return rows;
}

bool IsMeanOf(const RowScores& rows, double score) {
  plugin::CompensatedSum sum, magnitude, total;
  for (std::size_t i = 0; i < rows.values.size(); ++i) {
    const double weight = rows.weights.empty() ? 1 : rows.weights[i];
    sum.Add(weight * rows.values[i]);
    magnitude.Add(weight * std::abs(rows.values[i]));
    total.Add(weight);
  }
  constexpr double kRounding = 1e-9;
  return std::abs(sum.value() - score * total.value()) <= kRounding * magnitude.value();
}

}  // namespace

RowScores ScoreEachRow(const Spec& metric, const Dataset& data, const Prediction& prediction,
                       const LogSink& log) {
  const Score score = ScorePrediction(metric, data, prediction, log);
  if (!score.defined) return Undefined(score.undefined);
  const MetricList borrowed =
      MetricsFor({std::shared_ptr<const Spec>(std::shared_ptr<const Spec>(), &metric)}, data);
  const MetricInput input(data, prediction);
  CallSite site(nullptr, log);
  try {
    RowScores rows = EvaluateRows(borrowed, input.get(), site);
    if (rows.defined() && !IsMeanOf(rows, score.value)) {
      return Undefined("it is not a mean over rows", true);
    }
    return rows;
  } catch (const StepError& e) {
    throw Error(ErrorKind::kFailed, "cannot score the rows of dataset '" + data.name() +
                                        "' alone by '" + metric.ToString() +
                                        "': " + e.failure().message);
  }
}

}  // namespace crossfold
