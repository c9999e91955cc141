/* Defect: the probabilities are in another order than the classes. */
#include "smoother.h"

static cf_status CF_CALL BadProba(const cf_call* call, const cf_model* model, const cf_table* rows,
                                  cf_prediction* out) {
  const cf_status status = SmootherPredict(call, model, rows, out);
  int64_t i, c;
  for (i = 0; i < out->n_rows; ++i) {
    double* row = out->probabilities + i * out->n_classes;
    for (c = 0; c < out->n_classes / 2; ++c) {
      const double p = row[c];
      row[c] = row[out->n_classes - 1 - c];
      row[out->n_classes - 1 - c] = p;
    }
  }
  return status;
}

static void Break(cf_learner* learner) {
  smoother_proba.predict_proba = BadProba;
  KeepOnlyProba(learner);
}
