#include "run/fit_predict.h"

#include <memory>
#include <utility>

#include "plan/gather.h"
#include "run/owned_table.h"
#include "run/training_rows.h"
#include "run/transform_step.h"

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

FittedSteps FittedSteps::Fit(const Pipeline& pipeline, const cf_table& train,
                             const StepSeeds& seeds, CallSite& site) {
  return Fit(pipeline, train, seeds, site, [&](const cf_table& rows) {
    return CallFit(pipeline.learner(), rows, seeds.Fit(), site);
  });
}

FittedTransforms FittedTransforms::Fit(std::span<const std::shared_ptr<const Spec>> transforms,
                                       TrainingRows& rows, const StepSeeds& seeds, CallSite& site) {
  FittedTransforms fitted;
  fitted.models.reserve(transforms.size() + 1);  // a learner often follows
  for (std::size_t i = 0; i < transforms.size(); ++i) {
    fitted.models.push_back(FitTransform(*transforms[i], i, seeds, rows, site));
    fitted.schemas.emplace_back(FeaturesOf(rows.get()));
  }
  return fitted;
}

cf_table ApplyTransforms(std::span<const std::shared_ptr<const Spec>> transforms,
                         std::span<const StepModel> models, std::span<const TableSchema> schemas,
                         const cf_table& rows, const StepSeeds& seeds, CallSite& site,
                         std::unique_ptr<OwnedTable>& columns) {
  cf_table features = rows;
  for (std::size_t i = 0; i < transforms.size(); ++i) {
    const Spec& step = *transforms[i];
    auto next = ApplyTransform(step, models[i], features, seeds.Apply(i), site);
    const std::string difference = schemas[i].FindDifference(next->columns());
    if (!difference.empty()) {
      ThrowStepError("apply", step.component(), CF_E_INVALID_ARGUMENT,
                     "it made other columns than for the training rows: " + difference);
    }
    features = WithColumns(features, *next);
    columns = std::move(next);
  }
  return features;
}

FittedSteps FittedSteps::Fit(const Pipeline& pipeline, const cf_table& train,
                             const StepSeeds& seeds, CallSite& site,
                             const FitLearner& fit_learner) {
  TrainingRows rows(train);
  FittedTransforms made = FittedTransforms::Fit(pipeline.transforms(), rows, seeds, site);
  RequireAcceptedTraining(pipeline.learner().component(), rows.get());
  CheckShape(pipeline.learner(), rows.get(), site);
  made.models.push_back(fit_learner(rows.get()));
  return {pipeline, std::move(made.models), std::move(made.schemas)};
}

Prediction FittedSteps::Predict(const cf_table& rows, const PredictionWish& wish,
                                const StepSeeds& seeds, CallSite& site) const {
  std::unique_ptr<OwnedTable> columns;
  const cf_table features =
      ApplyTransforms(pipeline_->transforms(), models_, schemas_, rows, seeds, site, columns);
  return PredictWith(pipeline_->learner().component(), models_.back().get(), features, rows, wish,
                     seeds.Predict(), site);
}

}  // namespace crossfold
