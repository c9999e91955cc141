/* Defect: the probability of a class that is sure is NaN. */
#include "smoother.h"

static cf_status CF_CALL BadPredict(const cf_call* call, const cf_model* model,
                                    const cf_table* rows, cf_prediction* out) {
  const cf_status status = SmootherPredict(call, model, rows, out);
  int64_t i, c;
  for (i = 0; out->probabilities != NULL && i < out->n_rows; ++i) {
    for (c = 0; c < out->n_classes; ++c) {
      double* p = &out->probabilities[i * out->n_classes + c];
      *p = *p > 0.9 ? NAN : *p;
    }
  }
  return status;
}

static void Break(cf_learner* learner) {
  KeepOnlyProba(learner);
  learner->predict = BadPredict;
  smoother_proba.predict_proba = BadPredict;
}
