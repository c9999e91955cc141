/* Defect: a message is in Latin-1, not in UTF-8. */
#include "smoother.h"

static cf_status CF_CALL BadPredict(const cf_call* call, const cf_model* model,
                                    const cf_table* rows, cf_prediction* out) {
  if (rows->n_features != ((const Smoother*)model)->n_features) {
    return FailBecause(call, CF_E_INVALID_ARGUMENT, "andere Spalten als f\xFCr fit");
  }
  return SmootherPredict(call, model, rows, out);
}

static void Break(cf_learner* learner) {
  learner->predict = BadPredict;
  smoother_proba.predict_proba = BadPredict;
}
