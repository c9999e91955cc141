/* Defect: predict never looks at the features. */
#include "smoother.h"

static cf_status CF_CALL BadPredict(const cf_call* call, const cf_model* model,
                                    const cf_table* rows, cf_prediction* out) {
  const cf_status status = SmootherPredict(call, model, rows, out);
  int64_t i;
  for (i = 0; out->labels != NULL && i < out->n_rows; ++i) out->labels[i] = 0;
  for (i = 0; out->values != NULL && i < out->n_rows; ++i) out->values[i] = 0;
  return status;
}

static void Break(cf_learner* learner) {
  learner->get_capability = NULL;
  learner->predict = BadPredict;
  smoother_proba.predict_proba = BadPredict;
}
