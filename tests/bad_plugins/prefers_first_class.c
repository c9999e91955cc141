/* Defect: the votes for class 0 count 2000 times, whatever it is. */
#include "smoother.h"

static cf_status CF_CALL BadPredict(const cf_call* call, const cf_model* model,
                                    const cf_table* rows, cf_prediction* out) {
  const cf_status status = SmootherPredict(call, model, rows, out);
  int64_t i, c;
  for (i = 0; status == CF_OK && out->probabilities != NULL && i < out->n_rows; ++i) {
    double* p = out->probabilities + i * out->n_classes;
    const double total = 1 + p[0] * 1999;
    p[0] *= 2000;
    for (c = 0; c < out->n_classes; ++c) p[c] /= total;
    for (c = 0; out->labels != NULL && c < out->n_classes; ++c) {
      if (p[c] > p[out->labels[i]]) out->labels[i] = (int32_t)c;
    }
  }
  return status;
}

static cf_status CF_CALL BadLabels(const cf_call* call, const cf_model* model, const cf_table* rows,
                                   cf_prediction* out) {
  const int64_t n = out->n_rows * out->n_classes + 1;
  cf_prediction votes = *out;
  votes.probabilities = (double*)call->host->scratch(call, (size_t)n * sizeof(double), 8);
  if (votes.probabilities == NULL) return FailBecause(call, CF_E_OUT_OF_MEMORY, "out of memory");
  return BadPredict(call, model, rows, &votes);
}

static void Break(cf_learner* learner) {
  KeepOnlyProba(learner);
  learner->predict = BadLabels;
  smoother_proba.predict_proba = BadPredict;
}
