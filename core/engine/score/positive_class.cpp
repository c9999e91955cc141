// The positive class of the data as the value of the parameter `positive` of a metric.
#include <algorithm>
#include <cmath>

#include "crossfold/error.h"
#include "crossfold/score.h"

namespace crossfold {
namespace {

constexpr const char* kPositive = "positive";

// Whether the metric is of a class that its spec does not name.
bool LacksClass(const Spec& metric) {
  const ParamSpec* param = metric.FindParam(kPositive);
  return param != nullptr && param->type == CF_P_STRING && !metric.given().contains(kPositive) &&
         IsActive(metric.component(), kPositive, metric.given());
}

std::shared_ptr<const Spec> OfClass(const Spec& metric, const std::string& name) {
  return metric.With({{kPositive, name}});
}

// Twelve rows of two classes, whose counts and order of probabilities differ when they change
// places.
struct Trial {
  std::shared_ptr<const Dataset> data;
  Prediction prediction;
};

Trial MakeTrial() {
  const std::vector<std::int32_t> truth = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
  const std::vector<double> second = {.04, .11, .17, .29, .41, .56, .71, .38, .62, .77, .83, .96};
  Trial trial;
  trial.data =
      Dataset::Create("trial", {Column::Categories("y", truth, {"a", "b"})}, {.target = "y"});
  trial.data = Dataset::WithCosts(*trial.data, {2, 2, {0, 1, 5, 0}});
  trial.prediction.n_classes = 2;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    trial.prediction.rows.push_back(static_cast<std::int64_t>(i));
    trial.prediction.labels.push_back(second[i] > .5 ? 1 : 0);
    trial.prediction.probabilities.insert(trial.prediction.probabilities.end(),
                                          {1 - second[i], second[i]});
  }
  return trial;
}

// Whether a metric of two classes has another value if the other one is positive, as F1 has and the
// area under the ROC curve has not.
bool DependsOnClass(const Spec& metric) {
  const Trial trial = MakeTrial();
  try {
    const Score a = ScorePrediction(*OfClass(metric, "a"), *trial.data, trial.prediction);
    const Score b = ScorePrediction(*OfClass(metric, "b"), *trial.data, trial.prediction);
    constexpr double kRounding = 1e-9;
    return !a.defined || !b.defined ||
           std::abs(a.value - b.value) > kRounding * std::max(1.0, std::abs(a.value));
  } catch (const Error&) {  // it needs what the trial lacks
    return true;
  }
}

}  // namespace

std::shared_ptr<const Spec> MetricFor(const std::shared_ptr<const Spec>& metric,
                                      const Dataset& data) {
  const std::string& positive = data.roles().positive;
  return positive.empty() || !LacksClass(*metric) ? metric : OfClass(*metric, positive);
}

MetricList MetricsFor(const MetricList& metrics, const Dataset& data) {
  MetricList made;
  for (const auto& metric : metrics) made.push_back(MetricFor(metric, data));
  return made;
}

std::optional<ScoredClass> FindScoredClass(const Spec& metric, const Dataset& data) {
  if (data.task() != Task::kClassification || !LacksClass(metric)) return std::nullopt;
  if (data.num_classes() == 2 && !DependsOnClass(metric)) return std::nullopt;
  if (!data.roles().positive.empty()) return ScoredClass{data.roles().positive, true};
  if (data.num_classes() != 2) return std::nullopt;
  return ScoredClass{data.class_names()[1], false};
}

}  // namespace crossfold
