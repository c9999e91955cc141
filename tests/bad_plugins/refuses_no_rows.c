/* Defect: predict of no rows is an error. */
#include "smoother.h"

static cf_status CF_CALL BadPredict(const cf_call* call, const cf_model* model,
                                    const cf_table* rows, cf_prediction* out) {
  if (rows->n_rows == 0) return FailBecause(call, CF_E_INVALID_ARGUMENT, "there are no rows");
  return SmootherPredict(call, model, rows, out);
}

static void Break(cf_learner* learner) {
  learner->predict = BadPredict;
  smoother_proba.predict_proba = BadPredict;
}
