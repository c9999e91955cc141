// Operations on one step of a pipeline, for cells, fitted models, and work that several cells
// share. Failures are thrown as StepError.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

#include "crossfold/outcome.h"
#include "crossfold/spec.h"
#include "engine/run/step_call.h"

namespace crossfold {

// Owns the plugin's model of one step. The destructor drops the warnings of destroying it.
class StepModel {
 public:
  StepModel(const Component& component, cf_model* model) : component_(&component), model_(model) {}
  StepModel(StepModel&& other) noexcept
      : component_(other.component_), model_(std::exchange(other.model_, nullptr)) {}
  StepModel& operator=(StepModel&&) = delete;
  ~StepModel();

  const cf_model* get() const { return model_; }
  cf_model* get_mutable() { return model_; }
  // Destroys the model now; warnings go to the site.
  void Destroy(CallSite& site);

 private:
  const Component* component_;
  cf_model* model_;
};

// What a prediction contains.
struct PredictionRequest {
  std::int64_t n_classes = 0;  // of the whole training dataset; 0 = regression
  bool probabilities = false;  // or scores, if the learner offers them
};

// Refuses rows whose features or weights the component does not accept.
void RequireAccepted(std::string_view verb, const Component& component, const cf_table& rows);
void RequireAcceptedTraining(const Component& component, const cf_table& train);

// Asks the step itself about such data (crossfold.check/1). Only the numbers of rows and classes
// and the types of the columns are used.
void CheckShape(const Spec& step, const cf_table& train, CallSite& site);

// A call that makes a model, such as fit().
using MakeModelCall = std::function<cf_status(const cf_call*, cf_model**)>;
StepModel MakeModel(const Component& component, std::uint64_t seed, CallSite& site,
                    const MakeModelCall& make);
// Calls fit() of a learner or transform.
StepModel CallFit(const Spec& step, const cf_table& train, std::uint64_t seed, CallSite& site);
// Calls fit_validated(). REQUIRES: the learner offers crossfold.validation/1.
StepModel CallFitValidated(const Spec& learner, const cf_table& train, const cf_table& validation,
                           std::uint64_t seed, CallSite& site);

// A call that predicts, such as predict_at(), into arrays that exist if they were requested.
using PredictCall = std::function<cf_status(const cf_call*, cf_prediction*)>;
// `features` are the rows as the learner gets them, `rows` the rows as the caller gave them, for
// messages. The result is checked and has no row ids.
Prediction CallPredict(const Spec& learner, const cf_table& features, const cf_table& rows,
                       const PredictionRequest& request, std::uint64_t seed, CallSite& site,
                       const PredictCall& predict);
// Calls predict_proba(), or predict_scores(), if probabilities are requested and the learner offers
// them, else predict().
Prediction PredictWith(const Spec& learner, const cf_model* model, const cf_table& features,
                       const cf_table& rows, const PredictionRequest& request, std::uint64_t seed,
                       CallSite& site);

// crossfold.scores/1 of a learner that has scores instead of probabilities; null = it has not.
const cf_cap_scores* FindScores(const Spec& learner);

// Makes the requested arrays but scores, filled with values that are not predictions.
Prediction EmptyPrediction(const Component& learner, std::int64_t n_rows,
                           const PredictionRequest& request);
// Throws StepError for invalid predictions: no class, a NaN, probabilities that do not sum to 1.
void CheckPrediction(const Component& learner, const Prediction& prediction, const cf_table& rows);

}  // namespace crossfold
