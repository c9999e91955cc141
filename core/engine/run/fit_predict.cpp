#include "engine/run/fit_predict.h"

#include <memory>
#include <optional>
#include <utility>

#include "crossfold/error.h"
#include "engine/plan/gather.h"
#include "engine/plan/validation_rows.h"
#include "engine/run/owned_table.h"
#include "engine/run/training_rows.h"
#include "engine/run/transform_step.h"

namespace crossfold {
namespace {

cf_table FeatureTable(const Dataset& data, const std::vector<std::int64_t>* rows) {
  cf_table table{};
  table.struct_size = sizeof(cf_table);
  table.n_rows_total = data.num_rows();
  table.n_rows = rows ? static_cast<std::int64_t>(rows->size()) : data.num_rows();
  table.rows = rows ? rows->data() : nullptr;
  table.n_features = data.num_features();
  table.features = data.features().data();
  return table;
}

ValidationRows Divide(const Spec& learner, const DataView& train, double share,
                      std::uint64_t seed) {
  try {
    return HoldOut(train, share, seed);
  } catch (const Error& e) {
    ThrowStepError("fit", learner.component(), CF_E_UNSUPPORTED_DATA, e.what());
  }
}

}  // namespace

RowTable RowTable::ForTraining(const Dataset& data, const std::vector<std::int64_t>* rows) {
  RowTable made = ForPrediction(data, rows);
  cf_table& table = made.table_;
  table.target = data.target();
  table.weights = Gather(data.weights(), table.rows, table.n_rows, made.weights_);
  table.groups = Gather(data.groups(), table.rows, table.n_rows, made.groups_);
  return made;
}

RowTable RowTable::ForPrediction(const Dataset& data, const std::vector<std::int64_t>* rows) {
  RowTable made;
  made.table_ = FeatureTable(data, rows);
  return made;
}

FittedSteps FittedSteps::Fit(const Pipeline& pipeline, const DataView& train,
                             const StepSeeds& seeds, CallSite& site) {
  const Spec& learner = pipeline.learner();
  const auto fit = [&](const std::vector<std::int64_t>* rows, const cf_table* validation) {
    const RowTable table = RowTable::ForTraining(*train.data, rows);
    return Fit(pipeline, table.get(), validation, seeds, site,
               [&](const cf_table& made, const cf_table* held) {
                 return held == nullptr ? CallFit(learner, made, seeds.Fit(), site)
                                        : CallFitValidated(learner, made, *held, seeds.Fit(), site);
               });
  };
  const std::optional<double> share = learner.early_stopping_share();
  if (!share) return fit(train.rows.get(), nullptr);
  const ValidationRows divided = Divide(learner, train, *share, seeds.Validation());
  const RowTable validation = RowTable::ForTraining(*train.data, &divided.validation);
  return fit(&divided.train, &validation.get());
}

FittedSteps FittedSteps::Fit(const Pipeline& pipeline, const cf_table& train,
                             const cf_table* validation, const StepSeeds& seeds, CallSite& site,
                             const FitLearner& fit_learner) {
  FittedSteps fitted(pipeline);
  fitted.models_.reserve(pipeline.steps().size());
  TrainingRows rows(train);
  std::optional<TrainingRows> held;
  if (validation != nullptr) held.emplace(*validation);
  for (std::size_t i = 0; i < pipeline.transforms().size(); ++i) {
    const Spec& step = *pipeline.transforms()[i];
    fitted.models_.push_back(FitTransform(step, i, seeds, rows, site));
    fitted.schemas_.emplace_back(FeaturesOf(rows.get()));
    if (!held) continue;
    held->ReplaceColumns(ApplyTransform(step, fitted.models_.back(), fitted.schemas_.back(),
                                        held->get(), seeds.Apply(i), site));
  }
  RequireAcceptedTraining(pipeline.learner().component(), rows.get());
  if (held) RequireAccepted("fit", pipeline.learner().component(), held->get());
  CheckShape(pipeline.learner(), rows.get(), site);
  fitted.models_.push_back(fit_learner(rows.get(), held ? &held->get() : nullptr));
  return fitted;
}

Prediction FittedSteps::Predict(const cf_table& rows, const PredictionRequest& request,
                                const StepSeeds& seeds, CallSite& site) const {
  cf_table features = rows;
  std::unique_ptr<OwnedTable> columns;
  for (std::size_t i = 0; i < schemas_.size(); ++i) {
    auto next = ApplyTransform(*pipeline_->transforms()[i], models_[i], schemas_[i], features,
                               seeds.Apply(i), site);
    features = WithColumns(features, *next);
    columns = std::move(next);
  }
  return PredictWith(pipeline_->learner(), models_.back().get(), features, rows, request,
                     seeds.Predict(), site);
}

}  // namespace crossfold
