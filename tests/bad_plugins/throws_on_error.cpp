// Defect: an exception leaves predict when the columns are others than in training.
#include <stdexcept>

#include "smoother.h"

static cf_status CF_CALL BadPredict(const cf_call* call, const cf_model* model,
                                    const cf_table* rows, cf_prediction* out) {
  if (rows->n_features != ((const Smoother*)model)->n_features) {
    throw std::invalid_argument("other columns than in training");
  }
  return SmootherPredict(call, model, rows, out);
}

static void Break(cf_learner* learner) {
  learner->predict = BadPredict;
  smoother_proba.predict_proba = BadPredict;
}
