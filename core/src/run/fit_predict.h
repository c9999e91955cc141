// The steps of a pipeline, fitted on training rows and applied to others: what a cell does and what
// a fitted model keeps. Failures are thrown as StepError.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "crossfold/dataset.h"
#include "crossfold/outcome.h"
#include "crossfold/pipeline.h"
#include "run/step_call.h"
#include "run/step_seeds.h"
#include "run/table_schema.h"

namespace crossfold {

// The plugin's model of one step; destroyed with it, then without a word about warnings.
class StepModel {
 public:
  StepModel(const Component& component, cf_model* model) : component_(&component), model_(model) {}
  StepModel(StepModel&& other) noexcept
      : component_(other.component_), model_(std::exchange(other.model_, nullptr)) {}
  StepModel& operator=(StepModel&&) = delete;
  ~StepModel();

  const cf_model* get() const { return model_; }
  // Destroys the model now; warnings go to the site.
  void Destroy(CallSite& site);

 private:
  const Component* component_;
  cf_model* model_;
};

// Rows of a dataset as plugins get them, with the arrays that the dataset does not hold that way.
class RowTable {
 public:
  // All rows if `rows` is null. The ids must outlive the table, as must the dataset.
  static RowTable ForTraining(const Dataset& data, const std::vector<std::int64_t>* rows);
  // Features only.
  static RowTable ForPrediction(const Dataset& data, const std::vector<std::int64_t>* rows);

  const cf_table& get() const { return table_; }

 private:
  cf_table table_{};
  std::vector<double> weights_;
  std::vector<std::int64_t> groups_;
};

// What to predict.
struct PredictionWish {
  std::int64_t n_classes = 0;  // of the whole training dataset; 0 = regression
  bool probabilities = false;  // if the learner gives any
};

// Thread-safe to read as far as the plugins are.
class FittedSteps {
 public:
  // REQUIRES: `pipeline` outlives the result; CheckCompatible holds for its data.
  static FittedSteps Fit(const Pipeline& pipeline, const cf_table& train, const StepSeeds& seeds,
                         CallSite& site);

  // What Fit made, in parts: for models that are saved and loaded.
  FittedSteps(const Pipeline& pipeline, std::vector<StepModel> models,
              std::vector<TableSchema> schemas)
      : pipeline_(&pipeline), models_(std::move(models)), schemas_(std::move(schemas)) {}
  std::span<const StepModel> models() const { return models_; }
  std::span<const TableSchema> schemas() const { return schemas_; }

  // REQUIRES: `rows` has the features of the training rows, and no target.
  Prediction Predict(const cf_table& rows, const PredictionWish& wish, const StepSeeds& seeds,
                     CallSite& site) const;

  // Ends it, in a place where warnings can still be told.
  void Destroy(CallSite& site) {
    for (StepModel& model : models_) model.Destroy(site);
  }

 private:
  explicit FittedSteps(const Pipeline& pipeline) : pipeline_(&pipeline) {}
  Prediction PredictLast(const cf_table& features, const cf_table& rows, const PredictionWish& wish,
                         const StepSeeds& seeds, CallSite& site) const;

  const Pipeline* pipeline_;
  std::vector<StepModel> models_;     // one a step
  std::vector<TableSchema> schemas_;  // what each transform made of the training rows
};

}  // namespace crossfold
