/* Defect: labels count from 1. */
#include "smoother.h"

static cf_status CF_CALL BadPredict(const cf_call* call, const cf_model* model,
                                    const cf_table* rows, cf_prediction* out) {
  const cf_status status = SmootherPredict(call, model, rows, out);
  int64_t i;
  for (i = 0; out->labels != NULL && i < out->n_rows; ++i) ++out->labels[i];
  return status;
}

static void Break(cf_learner* learner) {
  KeepOnlyProba(learner);
  learner->predict = BadPredict;
  smoother_proba.predict_proba = BadPredict;
}
