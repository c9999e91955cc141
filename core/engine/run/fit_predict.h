// The steps of a pipeline, fitted on training rows and applied to others. Cells and fitted models
// use them. Failures are thrown as StepError.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "crossfold/dataset.h"
#include "crossfold/outcome.h"
#include "crossfold/pipeline.h"
#include "engine/run/step_call.h"
#include "engine/run/step_operations.h"
#include "engine/run/step_seeds.h"
#include "engine/run/table_schema.h"

namespace crossfold {

// Rows of a dataset as plugins get them, with the arrays that the dataset does not hold that way.
class RowTable {
 public:
  // Takes all rows if `rows` is null. The ids and the dataset must outlive the table.
  static RowTable ForTraining(const Dataset& data, const std::vector<std::int64_t>* rows);
  // Takes features only.
  static RowTable ForPrediction(const Dataset& data, const std::vector<std::int64_t>* rows);

  const cf_table& get() const { return table_; }

 private:
  cf_table table_{};
  std::vector<double> weights_;
  std::vector<std::int64_t> groups_;
};

// A fitted pipeline, which is as thread-safe as its plugins.
class FittedSteps {
 public:
  // Fits to these rows. If the learner has an early_stopping_share, that part of them is held out
  // first (HoldOut): transforms are fitted without it and applied to it, and only the learner gets
  // it. REQUIRES: `pipeline` outlives the result; CheckCompatible holds for its data.
  static FittedSteps Fit(const Pipeline& pipeline, const DataView& train, const StepSeeds& seeds,
                         CallSite& site);
  // Makes the learner's model from the rows that the transforms made; `validation` is null if no
  // rows are held out.
  using FitLearner = std::function<StepModel(const cf_table& train, const cf_table* validation)>;
  // Does the same with these rows and another way to make the learner's model. `validation` may be
  // null.
  static FittedSteps Fit(const Pipeline& pipeline, const cf_table& train,
                         const cf_table* validation, const StepSeeds& seeds, CallSite& site,
                         const FitLearner& fit_learner);

  // Takes the parts that Fit made, for models that are saved and loaded.
  FittedSteps(const Pipeline& pipeline, std::vector<StepModel> models,
              std::vector<TableSchema> schemas)
      : pipeline_(&pipeline), models_(std::move(models)), schemas_(std::move(schemas)) {}
  std::span<const StepModel> models() const { return models_; }
  std::span<const TableSchema> schemas() const { return schemas_; }

  // REQUIRES: `rows` has the features of the training rows, and no target.
  Prediction Predict(const cf_table& rows, const PredictionRequest& request, const StepSeeds& seeds,
                     CallSite& site) const;

  // Destroys the models while warnings can still be reported.
  void Destroy(CallSite& site) {
    for (StepModel& model : models_) model.Destroy(site);
  }

 private:
  explicit FittedSteps(const Pipeline& pipeline) : pipeline_(&pipeline) {}

  const Pipeline* pipeline_;
  std::vector<StepModel> models_;     // one per step
  std::vector<TableSchema> schemas_;  // what each transform made of the training rows
};

}  // namespace crossfold
