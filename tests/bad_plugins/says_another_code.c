/* Defect: the status of an error differs from the one it gave the host. */
#include "smoother.h"

static cf_status CF_CALL BadPredict(const cf_call* call, const cf_model* model,
                                    const cf_table* rows, cf_prediction* out) {
  if (rows->n_features != ((const Smoother*)model)->n_features) {
    call->host->fail(call, CF_E_INVALID_ARGUMENT, "other columns than in training");
    return CF_E_NUMERIC;
  }
  return SmootherPredict(call, model, rows, out);
}

static void Break(cf_learner* learner) {
  learner->predict = BadPredict;
  smoother_proba.predict_proba = BadPredict;
}
