#include "crossfold/score.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold_plugin/compensated_sum.hpp"
#include "plan/compatibility.h"
#include "plan/gather.h"
#include "run/cell_runner.h"
#include "text/format_number.h"

namespace crossfold {
namespace {

// Entries of the rows of a prediction. Consecutive rows, as those of all pooled or of a new file,
// are borrowed from the dataset instead of copied.
class RowsOf {
 public:
  // REQUIRES: outlives this.
  explicit RowsOf(const std::vector<std::int64_t>& rows) : rows_(rows) {
    for (std::size_t i = 1; i < rows.size(); ++i) is_range_ &= rows[i] == rows[i - 1] + 1;
  }
  // Null if there are no entries. The answer lives as long as both arguments.
  template <class T>
  const T* Of(std::span<const T> entries, std::vector<T>& storage) const {
    if (is_range_ && !rows_.empty() && !entries.empty()) return entries.data() + rows_.front();
    return Gather(entries, rows_.data(), static_cast<std::int64_t>(rows_.size()), storage);
  }

 private:
  const std::vector<std::int64_t>& rows_;
  bool is_range_ = true;
};

// cf_metric_input of a prediction, with what it borrows. Serves any number of metrics.
class MetricInput {
 public:
  // REQUIRES: both outlive this.
  MetricInput(const Dataset& data, const Prediction& prediction) {
    const auto n = static_cast<std::int64_t>(prediction.rows.size());
    const RowsOf rows(prediction.rows);
    input_.struct_size = sizeof(cf_metric_input);
    input_.n_rows = n;
    if (data.task() == Task::kClassification) {
      input_.n_classes = data.num_classes();
      input_.class_names = data.class_name_pointers().data();
      input_.truth_labels = rows.Of(data.labels(), truth_labels_);
    } else {
      input_.truth_values = rows.Of(data.values(), truth_values_);
    }
    input_.labels = PointerTo(prediction.labels);
    input_.values = PointerTo(prediction.values);
    input_.probabilities = PointerTo(prediction.probabilities);
    input_.weights = rows.Of(data.weights(), weights_);
    input_.groups = rows.Of(data.groups(), groups_);
    input_.costs = data.costs().empty() ? nullptr : data.costs().data();
    input_.row_costs = GatherRowCosts(data, prediction.rows);
    input_.training_mean = std::numeric_limits<double>::quiet_NaN();
  }
  MetricInput(const MetricInput&) = delete;
  MetricInput& operator=(const MetricInput&) = delete;

  const cf_metric_input& get() const { return input_; }

  // For metrics that compare with what a learner knew at the least.
  void SetTrainingTarget(const Dataset& data, std::span<const std::int64_t> train) {
    const auto weight = [&](std::size_t row) {
      return data.weights().empty() ? 1.0 : data.weights()[row];
    };
    plugin::CompensatedSum total, sum;
    if (data.task() == Task::kClassification) {
      training_class_weights_.assign(static_cast<std::size_t>(data.num_classes()), 0);
      for (const std::int64_t id : train) {
        const auto row = static_cast<std::size_t>(id);
        training_class_weights_[static_cast<std::size_t>(data.labels()[row])] += weight(row);
      }
      input_.training_class_weights = training_class_weights_.data();
      return;
    }
    for (const std::int64_t id : train) {
      const auto row = static_cast<std::size_t>(id);
      total.Add(weight(row));
      sum.Add(weight(row) * data.values()[row]);
    }
    if (total.value() > 0) input_.training_mean = sum.value() / total.value();
  }

 private:
  const double* GatherRowCosts(const Dataset& data, const std::vector<std::int64_t>& rows) {
    if (data.row_costs().empty()) return nullptr;
    const auto k = static_cast<std::size_t>(data.num_classes());
    row_costs_.reserve(rows.size() * k);
    for (const std::int64_t row : rows) {
      const auto costs = data.row_costs().subspan(static_cast<std::size_t>(row) * k, k);
      row_costs_.insert(row_costs_.end(), costs.begin(), costs.end());
    }
    return row_costs_.data();
  }
  template <class T>
  static const T* PointerTo(const std::vector<T>& entries) {
    return entries.empty() ? nullptr : entries.data();
  }

  cf_metric_input input_{};
  std::vector<std::int32_t> truth_labels_;
  std::vector<double> truth_values_, weights_, row_costs_, training_class_weights_;
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

// Turns what a metric's last call gave into a score. Throws StepError if it failed.
Score ScoreOf(const Component& component, CallResult result, double value, const CallSite& site) {
  if (result.status == CF_E_UNDEFINED) return {false, 0, std::move(result.message)};
  RequireOk("score", component, std::move(result), site);
  std::string problem = FindValueProblem(*component.metric, value);
  if (!problem.empty()) ThrowStepError("score", component, CF_E_NUMERIC, std::move(problem));
  return {true, value, ""};
}

Score ScoreWhole(const Spec& metric, const cf_metric_input& input, CallSite& site) {
  const Component& component = metric.component();
  double value = std::numeric_limits<double>::quiet_NaN();
  CallResult result = TryStep("score", component, 0, site, [&](const cf_call* call) {
    return component.metric->score(call, metric.args().data(), metric.args().size(), &input,
                                   &value);
  });
  return ScoreOf(component, std::move(result), value, site);
}

// One metric that takes the rows block by block (crossfold.accumulate/1).
class Accumulation {
 public:
  // Throws StepError, as all calls do. REQUIRES: the metric offers the capability; all outlive
  // this.
  Accumulation(const Spec& metric, const cf_metric_input& about, CallSite& site)
      : component_(metric.component()),
        table_(component_.capability<cf_cap_accumulate>(CF_CAP_ACCUMULATE)),
        site_(&site) {
    Take(TryStep("score", component_, 0, site, [&](const cf_call* call) {
      return table_->begin(call, metric.args().data(), metric.args().size(), &about, &counted_);
    }));
    if (counted_ != nullptr || !undefined_.empty()) return;
    ThrowStepError("score", component_, CF_E_INVALID_ARGUMENT,
                   "it reported success but began nothing");
  }
  Accumulation(Accumulation&& other) noexcept
      : component_(other.component_),
        table_(other.table_),
        site_(other.site_),
        counted_(std::exchange(other.counted_, nullptr)),
        undefined_(std::move(other.undefined_)) {}
  Accumulation& operator=(Accumulation&&) = delete;
  ~Accumulation() {
    if (counted_ == nullptr) return;
    TryStep("score", component_, 0, *site_, [&](const cf_call*) {
      table_->destroy(counted_);
      return CF_OK;
    });
  }

  void Add(const cf_metric_input& block) {
    if (!undefined_.empty()) return;
    Take(TryStep("score", component_, 0, *site_,
                 [&](const cf_call* call) { return table_->add(call, counted_, &block); }));
  }

  Score Finish() {
    if (!undefined_.empty()) return {false, 0, undefined_};
    double value = std::numeric_limits<double>::quiet_NaN();
    CallResult result = TryStep("score", component_, 0, *site_, [&](const cf_call* call) {
      return table_->finish(call, counted_, &value);
    });
    return ScoreOf(component_, std::move(result), value, *site_);
  }

 private:
  void Take(CallResult result) {
    if (result.status == CF_E_UNDEFINED) {
      undefined_ = result.message.empty() ? "the metric gave no reason" : result.message;
      return;
    }
    RequireOk("score", component_, std::move(result), *site_);
  }

  const Component& component_;
  const cf_cap_accumulate* table_;
  CallSite* site_;
  cf_accumulator* counted_ = nullptr;
  std::string undefined_;
};

// Rows [first, first + n) of an input.
cf_metric_input BlockOf(const cf_metric_input& input, std::int64_t first, std::int64_t n) {
  cf_metric_input block = input;
  const auto skip = [&](auto*& entries, std::int64_t width) {
    if (entries != nullptr) entries += first * width;
  };
  block.n_rows = n;
  skip(block.truth_labels, 1);
  skip(block.truth_values, 1);
  skip(block.labels, 1);
  skip(block.values, 1);
  skip(block.probabilities, input.n_classes);
  skip(block.weights, 1);
  skip(block.groups, 1);
  skip(block.row_costs, input.n_classes);
  return block;
}

// A block's probabilities stay in the cache of one core while all metrics read them.
std::int64_t RowsInBlock(const cf_metric_input& input) {
  constexpr std::int64_t kBlockBytes = 64 * 1024;
  const std::int64_t row_bytes = 8 * std::max<std::int64_t>(input.n_classes, 1);
  return std::max<std::int64_t>(kBlockBytes / row_bytes, 256);
}

// The scores of all metrics, in one pass over the rows for those that can. Throws StepError.
std::vector<Score> EvaluateAll(const MetricList& metrics, const cf_metric_input& input,
                               CallSite& site) {
  std::vector<Score> scores(metrics.size());
  std::vector<std::pair<std::size_t, Accumulation>> begun;
  const std::int64_t block = RowsInBlock(input);
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    const Component& component = metrics[m]->component();
    const char* missing = FindMissingInput(component.metric->needs, input);
    if (missing != nullptr) {
      scores[m] = {false, 0, missing};
    } else if (input.n_rows > block &&
               component.capability<cf_cap_accumulate>(CF_CAP_ACCUMULATE) != nullptr) {
      begun.emplace_back(m, Accumulation(*metrics[m], BlockOf(input, 0, 0), site));
    } else {
      scores[m] = ScoreWhole(*metrics[m], input, site);
    }
  }
  if (begun.empty()) return scores;
  for (std::int64_t first = 0; first < input.n_rows; first += block) {
    const cf_metric_input rows = BlockOf(input, first, std::min(block, input.n_rows - first));
    for (auto& [m, accumulation] : begun) accumulation.Add(rows);
  }
  for (auto& [m, accumulation] : begun) scores[m] = accumulation.Finish();
  return scores;
}

bool NeedsTrainingTarget(const MetricList& metrics) {
  return std::any_of(metrics.begin(), metrics.end(), [](const auto& metric) {
    return (metric->component().metric->needs & CF_NEEDS_TRAINING_TARGET) != 0;
  });
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

// "accuracy, log_loss{clip=0}"
std::string NamesOf(const MetricList& metrics) {
  std::string names;
  for (const auto& metric : metrics) names += (names.empty() ? "" : ", ") + metric->ToString();
  return names;
}

// What the metric itself says about such data; "" = nothing.
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

void CheckMetric(const Spec& metric, const Dataset& data) {
  std::string problem = FindTaskProblem(metric.component().metric->tasks, data);
  if (problem.empty()) problem = FindOwnProblem(metric, data);
  if (problem.empty()) return;
  throw Error(ErrorKind::kInvalidArgument, "cannot use metric '" + metric.ToString() +
                                               "' on dataset '" + data.name() + "': " + problem);
}

std::vector<Score> ScorePredictions(const MetricList& metrics, const Dataset& data,
                                    const Prediction& prediction, const LogSink& log) {
  for (const auto& metric : metrics) CheckMetric(*metric, data);
  const std::string attempt =
      "cannot score '" + NamesOf(metrics) + "' on dataset '" + data.name() + "': ";
  const std::string problem = FindPredictionProblem(data, prediction);
  if (!problem.empty()) throw Error(ErrorKind::kInvalidArgument, attempt + problem);
  const MetricInput input(data, prediction);
  CallSite site(nullptr, log);
  try {
    std::vector<Score> scores = EvaluateAll(metrics, input.get(), site);
    site.LogWarnings();
    return scores;
  } catch (const StepError& e) {
    site.LogWarnings();
    // With several, the stage says which one it was: "score log_loss".
    const std::string which = metrics.size() > 1 ? e.failure().stage + ": " : "";
    throw Error(ErrorKind::kFailed, attempt + which + e.failure().message);
  }
}

Score ScorePrediction(const Spec& metric, const Dataset& data, const Prediction& prediction,
                      const LogSink& log) {
  const MetricList one = {
      std::shared_ptr<const Spec>(std::shared_ptr<const Spec>(), &metric)};  // borrowed
  return std::move(ScorePredictions(one, data, prediction, log).front());
}

std::vector<Outcome> RunAndScore(std::span<const Cell> cells, const RunOptions& options) {
  return RunCellsAndFinish(cells, options, [](const Cell& cell, CallSite& site, Outcome& outcome) {
    if (!cell.metrics || cell.metrics->empty()) return;
    const Dataset& data = *cell.splits->view().data;
    MetricInput input(data, outcome.prediction);
    if (NeedsTrainingTarget(*cell.metrics)) {
      input.SetTrainingTarget(data, cell.splits->Rows(cell.split).train);
    }
    outcome.scores = EvaluateAll(*cell.metrics, input.get(), site);
  });
}

}  // namespace crossfold
