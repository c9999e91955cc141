/* Defect: a missing entry gives NaN, although the learner accepts missing values. */
#include "smoother.h"

static cf_status CF_CALL BadPredict(const cf_call* call, const cf_model* model,
                                    const cf_table* rows, cf_prediction* out) {
  const cf_status status = SmootherPredict(call, model, rows, out);
  int64_t i, j;
  for (i = 0; i < out->n_rows; ++i) {
    double sum = 0;
    for (j = 0; j < rows->n_features; ++j) {
      sum += isnan(ReadEntry(&rows->features[j], RowOf(rows, i))) ? NAN : 0;
    }
    if (out->values != NULL) out->values[i] += sum;
    if (out->probabilities != NULL) out->probabilities[i * out->n_classes] += sum;
  }
  return status;
}

static void Break(cf_learner* learner) {
  KeepOnlyProba(learner);
  learner->predict = BadPredict;
  smoother_proba.predict_proba = BadPredict;
}
