/* Defect: a model of one row divides by the degrees of freedom, 0. */
#include "smoother.h"

static cf_status CF_CALL BadPredict(const cf_call* call, const cf_model* model,
                                    const cf_table* rows, cf_prediction* out) {
  const cf_status status = SmootherPredict(call, model, rows, out);
  int64_t i;
  if (((const Smoother*)model)->n_rows > 1) return status;
  for (i = 0; out->values != NULL && i < out->n_rows; ++i) out->values[i] = NAN;
  for (i = 0; out->probabilities != NULL && i < out->n_rows * out->n_classes; ++i) {
    out->probabilities[i] = NAN;
  }
  return status;
}

static void Break(cf_learner* learner) {
  KeepOnlyProba(learner);
  learner->predict = BadPredict;
  smoother_proba.predict_proba = BadPredict;
}
