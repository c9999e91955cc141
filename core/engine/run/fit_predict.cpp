#include "engine/run/fit_predict.h"

#include <memory>
#include <utility>

#include "engine/plan/gather.h"
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

FittedSteps FittedSteps::Fit(const Pipeline& pipeline, const cf_table& train,
                             const StepSeeds& seeds, CallSite& site,
                             const FitLearner& fit_learner) {
  FittedSteps fitted(pipeline);
  fitted.models_.reserve(pipeline.steps().size());
  TrainingRows rows(train);
  for (std::size_t i = 0; i < pipeline.transforms().size(); ++i) {
    fitted.models_.push_back(FitTransform(*pipeline.transforms()[i], i, seeds, rows, site));
    fitted.schemas_.emplace_back(FeaturesOf(rows.get()));
  }
  RequireAcceptedTraining(pipeline.learner().component(), rows.get());
  CheckShape(pipeline.learner(), rows.get(), site);
  fitted.models_.push_back(fit_learner(rows.get()));
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
  return PredictWith(pipeline_->learner().component(), models_.back().get(), features, rows,
                     request, seeds.Predict(), site);
}

}  // namespace crossfold
