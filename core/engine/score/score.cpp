#include "crossfold/score.h"

#include <algorithm>
#include <string>
#include <utility>

#include "crossfold/error.h"
#include "engine/plan/compatibility.h"
#include "engine/run/cell_runner.h"
#include "engine/run/step_operations.h"
#include "engine/score/evaluate_metrics.h"
#include "engine/score/metric_input.h"
#include "engine/score/score_cell.h"

namespace crossfold {
namespace {

// Returns why a prediction from elsewhere is not a prediction for this dataset; "" = it is.
std::string FindPredictionProblem(const Dataset& data, const Prediction& p) {
  const std::size_t n = p.rows.size();
  const auto n_classes = static_cast<std::size_t>(data.num_classes());
  for (const std::int64_t row : p.rows) {
    if (row < 0 || row >= data.num_rows()) {
      return "the prediction is for row " + std::to_string(row + 1) + ", which is not among the " +
             std::to_string(data.num_rows()) + " rows of the dataset";
    }
  }
  if (p.n_classes != data.num_classes() && (!p.labels.empty() || !p.probabilities.empty())) {
    return "the prediction has " + std::to_string(p.n_classes) + " classes, the dataset " +
           std::to_string(n_classes);
  }
  const auto has_other_length = [](std::size_t size, std::size_t expected) {
    return size != 0 && size != expected;
  };
  const auto lengths = [&](std::size_t size, const char* what, std::size_t expected) {
    return "the prediction has " + std::to_string(size) + " " + what + " instead of " +
           std::to_string(expected);
  };
  if (has_other_length(p.labels.size(), n)) return lengths(p.labels.size(), "labels", n);
  const std::size_t n_values = n_classes > 0 ? n * n_classes : n;
  if (has_other_length(p.values.size(), n_values))
    return lengths(p.values.size(), "values", n_values);
  if (has_other_length(p.probabilities.size(), n * n_classes)) {
    return lengths(p.probabilities.size(), "probabilities", n * n_classes);
  }
  for (const std::int32_t label : p.labels) {
    if (label >= 0 && static_cast<std::size_t>(label) < n_classes) continue;
    return "the prediction has class index " + std::to_string(label) + "; there are " +
           std::to_string(n_classes) + " classes";
  }
  return "";
}

bool NeedsTrainingTarget(const MetricList& metrics) {
  return std::any_of(metrics.begin(), metrics.end(), [](const auto& metric) {
    return (metric->component().metric->needs & CF_NEEDS_TRAINING_TARGET) != 0;
  });
}

// Scores each cell that has finished.
FinishCell ScoreCells(TrainingTargets& targets) {
  return [&targets](const CellRef& cell, CallSite& site, Outcome& outcome) {
    const CellBlock& block = *cell.block;
    if (!block.metrics || block.metrics->empty()) return;
    outcome.scores = ScoreCellPrediction(cell, *block.metrics, outcome.prediction, targets, site);
  };
}

cf_shape ShapeFor(const Dataset& data) {
  cf_shape shape{};
  shape.struct_size = sizeof(cf_shape);
  shape.n_rows = data.num_rows();
  shape.n_features = data.num_features();
  shape.n_classes = data.num_classes();
  if (shape.n_classes > 0) shape.class_names = data.class_name_pointers().data();
  if (!data.costs().empty()) shape.flags |= CF_SHAPE_HAS_COSTS;
  if (!data.row_costs().empty()) shape.flags |= CF_SHAPE_HAS_ROW_COSTS;
  return shape;
}

// Returns "accuracy, log_loss{clip=0}".
std::string NamesOf(const MetricList& metrics) {
  std::string names;
  for (const auto& metric : metrics) names += (names.empty() ? "" : ", ") + metric->ToString();
  return names;
}

// REQUIRES: the metric outlives the result.
std::shared_ptr<const Spec> Borrowed(const Spec& metric) {
  return {std::shared_ptr<const Spec>(), &metric};
}

// Returns what the metric itself reports about such data; "" = nothing.
std::string FindOwnProblem(const Spec& metric, const Dataset& data) {
  const Component& component = metric.component();
  const auto* table = component.capability<cf_cap_check>(CF_CAP_CHECK);
  if (table == nullptr) return "";
  const cf_shape shape = ShapeFor(data);
  const LogSink silent;
  CallSite site(nullptr, silent);
  const CallResult result = TryStep("check", component, 0, site, [&](const cf_call* call) {
    return table->check(call, metric.args().data(), metric.args().size(), &shape);
  });
  return result.ok() ? "" : result.message;
}

}  // namespace

std::vector<Score> ScoreCellPrediction(const CellRef& cell, const MetricList& metrics,
                                       const Prediction& prediction, TrainingTargets& targets,
                                       CallSite& site) {
  const std::shared_ptr<const SplitPlan>& splits = cell.block->splits;
  const Dataset& data = *splits->view().data;
  MetricInput input(data, prediction);
  if (NeedsTrainingTarget(metrics)) {
    input.SetTrainingTarget(targets.Find(splits, cell.split, prediction.rows));
  }
  return EvaluateMetrics(MetricsFor(metrics, data), input.get(), site, input.scores());
}

void CheckMetric(const Spec& metric, const Dataset& data) {
  std::string problem = FindTaskProblem(metric.component().metric->tasks, data);
  if (problem.empty()) problem = FindOwnProblem(*MetricFor(Borrowed(metric), data), data);
  if (problem.empty()) return;
  throw Error(ErrorKind::kInvalidArgument, "cannot use metric '" +
                                               ShortSpecText(metric.ToString()) + "' on dataset '" +
                                               data.name() + "': " + problem);
}

bool HasScoresInstead(const Spec& learner) { return FindScores(learner) != nullptr; }

void CheckMetricOfLearner(const Spec& metric, const Spec& learner) {
  const std::uint32_t needs = metric.component().metric->needs;
  if ((needs & CF_NEEDS_PROBABILITIES) == 0 || (needs & CF_TAKES_SCORES) != 0) return;
  if (!HasScoresInstead(learner)) return;
  throw Error(
      ErrorKind::kInvalidArgument,
      "cannot use metric '" + ShortSpecText(metric.ToString()) + "' with learner '" +
          ShortSpecText(learner.ToString()) +
          "': it needs probabilities, and the learner has scores, which only rank the rows; "
          "use a metric of ranks such as roc_auc, or give the learner probabilities, as "
          "libsvm has them with probability = true");
}

std::vector<Score> ScoreWithTarget(const MetricList& metrics, const Dataset& data,
                                   const Prediction& prediction, const TrainingTarget* training,
                                   const LogSink& log) {
  for (const auto& metric : metrics) CheckMetric(*metric, data);
  const std::string attempt =
      "cannot score '" + NamesOf(metrics) + "' on dataset '" + data.name() + "': ";
  const std::string problem = FindPredictionProblem(data, prediction);
  if (!problem.empty()) throw Error(ErrorKind::kInvalidArgument, attempt + problem);
  MetricInput input(data, prediction);
  if (training != nullptr) input.SetTrainingTarget(*training);
  CallSite site(nullptr, log);
  try {
    std::vector<Score> scores =
        EvaluateMetrics(MetricsFor(metrics, data), input.get(), site, input.scores());
    site.LogWarnings();
    return scores;
  } catch (const StepError& e) {
    site.LogWarnings();
    // With several metrics, the stage shows which one failed: "score log_loss".
    const std::string which = metrics.size() > 1 ? e.failure().stage + ": " : "";
    throw Error(ErrorKind::kFailed, attempt + which + e.failure().message);
  }
}

std::vector<Score> ScorePredictions(const MetricList& metrics, const Dataset& data,
                                    const Prediction& prediction, const LogSink& log,
                                    std::span<const std::int64_t> train) {
  if (train.empty()) return ScoreWithTarget(metrics, data, prediction, nullptr, log);
  const TrainingTarget training = ReadTrainingTarget(data, train);
  return ScoreWithTarget(metrics, data, prediction, &training, log);
}

Score ScorePrediction(const Spec& metric, const Dataset& data, const Prediction& prediction,
                      const LogSink& log) {
  return std::move(ScorePredictions({Borrowed(metric)}, data, prediction, log).front());
}

void RunAndScore(std::span<const CellBlock> blocks, const RunOptions& options,
                 const TakeOutcome& take) {
  TrainingTargets targets;
  RunBlocks(blocks, options, ScoreCells(targets), take);
}

std::vector<Outcome> RunAndScore(std::span<const Cell> cells, const RunOptions& options) {
  TrainingTargets targets;
  return RunCellsAndFinish(cells, options, ScoreCells(targets));
}

}  // namespace crossfold
