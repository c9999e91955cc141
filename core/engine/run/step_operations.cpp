#include "engine/run/step_operations.h"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "engine/plan/compatibility.h"
#include "engine/plugin/fit_memory.h"
#include "engine/run/table_schema.h"
#include "engine/text/format_number.h"

namespace crossfold {
namespace {

constexpr std::int32_t kNoLabel = std::numeric_limits<std::int32_t>::min();
constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

// Returns " for row 17", a row of the dataset counted from 1.
std::string ForRow(const cf_table& rows, std::size_t i) {
  const auto view_row = static_cast<std::int64_t>(i);
  return " for row " + std::to_string((rows.rows ? rows.rows[view_row] : view_row) + 1);
}

void CheckLabels(const Component& learner, const Prediction& p, const cf_table& rows) {
  for (std::size_t i = 0; i < p.labels.size(); ++i) {
    const std::int32_t label = p.labels[i];
    if (label >= 0 && label < p.n_classes) continue;
    const std::string what = label == kNoLabel ? "predicted no class" + ForRow(rows, i)
                                               : "predicted class index " + std::to_string(label) +
                                                     ForRow(rows, i) + "; there are " +
                                                     std::to_string(p.n_classes) + " classes";
    ThrowStepError("predict", learner, CF_E_INVALID_ARGUMENT, what);
  }
}

void CheckValues(const Component& learner, const Prediction& p, const cf_table& rows) {
  for (std::size_t i = 0; i < p.values.size(); ++i) {
    if (std::isfinite(p.values[i])) continue;
    ThrowStepError(
        "predict", learner, CF_E_NUMERIC,
        "predicted " + FormatShortest(p.values[i]) +
            ForRow(rows, p.n_classes > 0 ? i / static_cast<std::size_t>(p.n_classes) : i));
  }
}

void CheckProbabilities(const Component& learner, const Prediction& p, const cf_table& rows) {
  if (p.probabilities.empty()) return;
  const auto n_classes = static_cast<std::size_t>(p.n_classes);
  for (std::size_t i = 0; i < p.labels.size(); ++i) {
    double sum = 0;
    for (std::size_t c = 0; c < n_classes; ++c) {
      const double probability = p.probabilities[i * n_classes + c];
      if (!(probability >= 0 && probability <= 1)) {
        ThrowStepError("predict", learner, CF_E_NUMERIC,
                       "predicted probability " + FormatShortest(probability) + ForRow(rows, i));
      }
      sum += probability;
    }
    if (std::abs(sum - 1) > CF_PROBABILITY_TOLERANCE) {
      ThrowStepError(
          "predict", learner, CF_E_NUMERIC,
          "predicted probabilities that sum to " + FormatShortest(sum) + ForRow(rows, i));
    }
  }
}

}  // namespace

StepModel::~StepModel() {
  if (model_ != nullptr) DestroyModel(*component_, model_);
}

void StepModel::Destroy(CallSite& site) {
  AddWarnings("destroy", *component_, DestroyModel(*component_, std::exchange(model_, nullptr)),
              site);
}

void RequireAccepted(std::string_view verb, const Component& component, const cf_table& table) {
  std::string problem =
      FindFeatureProblem(AcceptBits(component), FeaturesOf(table), table.n_rows_total);
  if (!problem.empty()) {
    ThrowStepError(verb, component, CF_E_UNSUPPORTED_DATA, std::move(problem));
  }
}

void RequireAcceptedTraining(const Component& component, const cf_table& train) {
  RequireAccepted("fit", component, train);
  if (train.weights == nullptr || (AcceptBits(component) & CF_ACCEPTS_WEIGHTS) != 0) return;
  // CheckCompatible has refused weights of the dataset.
  ThrowStepError("fit", component, CF_E_UNSUPPORTED_DATA,
                 "it does not accept row weights, which resampling gave the training rows");
}

void CheckShape(const Spec& step, const cf_table& train, CallSite& site) {
  const auto* table = step.component().capability<cf_cap_check>(CF_CAP_CHECK);
  if (table == nullptr) return;
  const cf_shape shape = ShapeOf(FeaturesOf(train), train.n_rows,
                                 train.target->dtype == CF_CAT32 ? train.target->n_levels : 0);
  CallStep("check", step.component(), 0, site, [&](const cf_call* call) {
    return table->check(call, step.args().data(), step.args().size(), &shape);
  });
}

StepModel MakeModel(const Component& component, std::uint64_t seed, CallSite& site,
                    const MakeModelCall& make) {
  cf_model* model = nullptr;
  CallStep("fit", component, seed, site, [&](const cf_call* call) { return make(call, &model); });
  if (model == nullptr) {
    ThrowStepError("fit", component, CF_E_INVALID_ARGUMENT,
                   "it reported success but made no model");
  }
  return StepModel(component, model);
}

StepModel CallFit(const Spec& step, const cf_table& train, std::uint64_t seed, CallSite& site) {
  const Component& component = step.component();
  const auto fit = component.learner ? component.learner->fit : component.transform->fit;
  return MakeModel(component, seed, site, [&](const cf_call* call, cf_model** model) {
    return fit(call, step.args().data(), step.args().size(), &train, model);
  });
}

StepModel CallFitValidated(const Spec& learner, const cf_table& train, const cf_table& validation,
                           std::uint64_t seed, CallSite& site) {
  const auto* table = learner.component().capability<cf_cap_validation>(CF_CAP_VALIDATION);
  return MakeModel(learner.component(), seed, site, [&](const cf_call* call, cf_model** model) {
    return table->fit_validated(call, learner.args().data(), learner.args().size(), &train,
                                &validation, model);
  });
}

const cf_cap_scores* FindScores(const Spec& learner) {
  const auto* scores = learner.component().capability<cf_cap_scores>(CF_CAP_SCORES);
  if (scores == nullptr) return nullptr;
  const bool has = scores->replaces_probabilities(learner.component().info(), learner.args().data(),
                                                  learner.args().size()) != 0;
  return has ? scores : nullptr;
}

Prediction EmptyPrediction(const Component& learner, std::int64_t n_rows,
                           const PredictionRequest& request) {
  const auto n = static_cast<std::size_t>(n_rows);
  Prediction p;
  p.n_classes = request.n_classes;
  if (request.n_classes > 0) {
    p.labels.assign(n, kNoLabel);
  } else {
    p.values.assign(n, kNoValue);
  }
  if (request.probabilities && request.n_classes > 0 &&
      learner.capability<cf_cap_proba>(CF_CAP_PROBA) != nullptr) {
    p.probabilities.assign(n * static_cast<std::size_t>(request.n_classes), kNoValue);
  }
  return p;
}

void CheckPrediction(const Component& learner, const Prediction& prediction, const cf_table& rows) {
  CheckLabels(learner, prediction, rows);
  CheckValues(learner, prediction, rows);
  CheckProbabilities(learner, prediction, rows);
}

Prediction CallPredict(const Spec& spec, const cf_table& features, const cf_table& rows,
                       const PredictionRequest& request, std::uint64_t seed, CallSite& site,
                       const PredictCall& predict) {
  const Component& learner = spec.component();
  RequireAccepted("predict", learner, features);
  Prediction p = EmptyPrediction(learner, features.n_rows, request);
  if (request.probabilities && request.n_classes > 0 && FindScores(spec) != nullptr) {
    p.probabilities = {};
    p.values.assign(p.labels.size() * static_cast<std::size_t>(request.n_classes), kNoValue);
  }
  const auto array = [](auto& numbers) { return numbers.empty() ? nullptr : numbers.data(); };
  cf_prediction out{};
  out.struct_size = sizeof(cf_prediction);
  out.n_rows = features.n_rows;
  out.n_classes = request.n_classes;
  out.labels = array(p.labels);
  out.values = array(p.values);
  out.probabilities = array(p.probabilities);
  CallStep("predict", learner, seed, site,
           [&](const cf_call* call) { return predict(call, &out); });
  CheckPrediction(learner, p, rows);
  return p;
}

Prediction PredictWith(const Spec& learner, const cf_model* model, const cf_table& features,
                       const cf_table& rows, const PredictionRequest& request, std::uint64_t seed,
                       CallSite& site) {
  const Component& component = learner.component();
  auto predict = component.learner->predict;
  if (request.probabilities && request.n_classes > 0) {
    const auto* proba = component.capability<cf_cap_proba>(CF_CAP_PROBA);
    if (const cf_cap_scores* scores = FindScores(learner)) {
      predict = scores->predict_scores;
    } else if (proba != nullptr) {
      predict = proba->predict_proba;
    }
  }
  return CallPredict(learner, features, rows, request, seed, site,
                     [&](const cf_call* call, cf_prediction* out) {
                       return predict(call, model, &features, out);
                     });
}

}  // namespace crossfold
