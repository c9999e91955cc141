/* Defect: a huge entry gives NaN. */
#include "smoother.h"

static cf_status CF_CALL BadPredict(const cf_call* call, const cf_model* model,
                                    const cf_table* rows, cf_prediction* out) {
  const cf_status status = SmootherPredict(call, model, rows, out);
  int64_t i;
  for (i = 0; i < out->n_rows && rows->n_features > 0; ++i) {
    const double entry = ReadEntry(&rows->features[0], RowOf(rows, i));
    if (!(fabs(entry) > 1e200)) continue;
    if (out->values != NULL) out->values[i] = entry * entry - entry * entry;
    if (out->probabilities != NULL) out->probabilities[i * out->n_classes] = NAN;
  }
  return status;
}

static void Break(cf_learner* learner) {
  KeepOnlyProba(learner);
  learner->predict = BadPredict;
  smoother_proba.predict_proba = BadPredict;
}
