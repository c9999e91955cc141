#include "crossfold/score.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "crossfold/error.h"
#include "plan/compatibility.h"
#include "plan/gather.h"
#include "run/cell_runner.h"
#include "text/format_number.h"

namespace crossfold {
namespace {

// cf_metric_input of a prediction, with what it borrows. Serves any number of metrics.
class MetricInput {
 public:
  // REQUIRES: both outlive this.
  MetricInput(const Dataset& data, const Prediction& prediction) {
    const std::int64_t* rows = prediction.rows.data();
    const auto n = static_cast<std::int64_t>(prediction.rows.size());
    input_.struct_size = sizeof(cf_metric_input);
    input_.n_rows = n;
    if (data.task() == Task::kClassification) {
      input_.n_classes = data.num_classes();
      input_.class_names = data.class_name_pointers().data();
      input_.truth_labels = Gather(data.labels(), rows, n, truth_labels_);
    } else {
      input_.truth_values = Gather(data.values(), rows, n, truth_values_);
    }
    input_.labels = PointerTo(prediction.labels);
    input_.values = PointerTo(prediction.values);
    input_.probabilities = PointerTo(prediction.probabilities);
    input_.weights = Gather(data.weights(), rows, n, weights_);
    input_.groups = Gather(data.groups(), rows, n, groups_);
    input_.training_mean = std::numeric_limits<double>::quiet_NaN();
  }
  MetricInput(const MetricInput&) = delete;
  MetricInput& operator=(const MetricInput&) = delete;

  const cf_metric_input& get() const { return input_; }

 private:
  template <class T>
  static const T* PointerTo(const std::vector<T>& entries) {
    return entries.empty() ? nullptr : entries.data();
  }

  cf_metric_input input_{};
  std::vector<std::int32_t> truth_labels_;
  std::vector<double> truth_values_, weights_;
  std::vector<std::int64_t> groups_;
};

// Why a prediction that somebody else made is none for this dataset; "" = it is one.
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
  if (has_other_length(p.values.size(), n)) return lengths(p.values.size(), "values", n);
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

// What the metric needs and the input lacks; null = nothing.
const char* FindMissingInput(std::uint32_t needs, const cf_metric_input& input) {
  if (input.n_rows == 0) return "there are no predictions";
  if ((needs & CF_NEEDS_LABELS) != 0 && input.labels == nullptr) return "learner gives no labels";
  if ((needs & CF_NEEDS_VALUES) != 0 && input.values == nullptr) return "learner gives no values";
  if ((needs & CF_NEEDS_PROBABILITIES) != 0 && input.probabilities == nullptr) {
    return "learner gives no probabilities";
  }
  if ((needs & CF_NEEDS_COSTS) != 0 && input.costs == nullptr && input.row_costs == nullptr) {
    return "there are no costs";
  }
  if ((needs & CF_NEEDS_GROUPS) != 0 && input.groups == nullptr) {
    return "the dataset has no groups";
  }
  if ((needs & CF_NEEDS_TRAINING_TARGET) != 0 && input.training_class_weights == nullptr &&
      std::isnan(input.training_mean)) {
    return "the training rows are not known";
  }
  return nullptr;
}

// Why the metric's value cannot be a score; "" = it can.
std::string FindValueProblem(const cf_metric& metric, double value) {
  if (std::isnan(value)) return "returned NaN without a reason";
  if (std::isinf(value) && value != metric.worst && value != metric.best) {
    return "returned " + FormatShortest(value) + ", which is not one of its bounds";
  }
  return "";
}

// Throws StepError if the metric fails.
Score Evaluate(const Spec& metric, const cf_metric_input& input, CallSite& site) {
  const Component& component = metric.component();
  const cf_metric& table = *component.metric;
  const char* missing = FindMissingInput(table.needs, input);
  if (missing != nullptr) return {false, 0, missing};
  double value = std::numeric_limits<double>::quiet_NaN();
  CallResult result = TryStep("score", component, 0, site, [&](const cf_call* call) {
    return table.score(call, metric.args().data(), metric.args().size(), &input, &value);
  });
  if (result.status == CF_E_UNDEFINED) return {false, 0, std::move(result.message)};
  RequireOk("score", component, std::move(result), site);
  std::string problem = FindValueProblem(table, value);
  if (!problem.empty()) ThrowStepError("score", component, CF_E_NUMERIC, std::move(problem));
  return {true, value, ""};
}

}  // namespace

void CheckMetric(const Spec& metric, const Dataset& data) {
  const std::string problem = FindTaskProblem(metric.component().metric->tasks, data);
  if (problem.empty()) return;
  throw Error(ErrorKind::kInvalidArgument, "cannot use metric '" + metric.ToString() +
                                               "' on dataset '" + data.name() + "': " + problem);
}

Score ScorePrediction(const Spec& metric, const Dataset& data, const Prediction& prediction,
                      const LogSink& log) {
  CheckMetric(metric, data);
  const std::string attempt =
      "cannot score '" + metric.ToString() + "' on dataset '" + data.name() + "': ";
  const std::string problem = FindPredictionProblem(data, prediction);
  if (!problem.empty()) throw Error(ErrorKind::kInvalidArgument, attempt + problem);
  const MetricInput input(data, prediction);
  CallSite site(nullptr, log);
  try {
    Score score = Evaluate(metric, input.get(), site);
    site.LogWarnings();
    return score;
  } catch (const StepError& e) {
    site.LogWarnings();
    throw Error(ErrorKind::kFailed, attempt + e.failure().message);
  }
}

std::vector<Outcome> RunAndScore(std::span<const Cell> cells, const RunOptions& options) {
  return RunCellsAndFinish(cells, options, [](const Cell& cell, CallSite& site, Outcome& outcome) {
    if (!cell.metrics || cell.metrics->empty()) return;
    const MetricInput input(*cell.splits->view().data, outcome.prediction);
    outcome.scores.reserve(cell.metrics->size());
    for (const std::shared_ptr<const Spec>& metric : *cell.metrics) {
      outcome.scores.push_back(Evaluate(*metric, input.get(), site));
    }
  });
}

}  // namespace crossfold
