/* Defect: predict_proba gives an unsure row the label of the second class, predict that of the
 * first. */
#include "smoother.h"

static cf_status CF_CALL BadProba(const cf_call* call, const cf_model* model, const cf_table* rows,
                                  cf_prediction* out) {
  const cf_status status = SmootherPredict(call, model, rows, out);
  int64_t i, c;
  for (i = 0; status == CF_OK && out->labels != NULL && i < out->n_rows; ++i) {
    const double* p = out->probabilities + i * out->n_classes;
    const int32_t first = out->labels[i];
    double most = 0;
    if (p[first] > 0.98) continue;
    for (c = 0; c < out->n_classes; ++c) {
      if (c == first || !(p[c] > most)) continue;
      most = p[c];
      out->labels[i] = (int32_t)c;
    }
  }
  return status;
}

static void Break(cf_learner* learner) {
  KeepOnlyProba(learner);
  smoother_proba.predict_proba = BadProba;
}
