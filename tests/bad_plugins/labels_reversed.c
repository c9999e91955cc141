/* Defect: the label is that of the class with the fewest votes. */
#include "smoother.h"

static cf_status CF_CALL BadPredict(const cf_call* call, const cf_model* model,
                                    const cf_table* rows, cf_prediction* out) {
  const int64_t k = out->n_classes;
  cf_prediction votes = *out;
  int64_t i, c;
  cf_status status;
  if (out->labels == NULL) return SmootherPredict(call, model, rows, out);
  votes.probabilities =
      (double*)call->host->scratch(call, (size_t)(out->n_rows * k + 1) * sizeof(double), 8);
  if (votes.probabilities == NULL) return FailBecause(call, CF_E_OUT_OF_MEMORY, "out of memory");
  status = SmootherPredict(call, model, rows, &votes);
  for (i = 0; status == CF_OK && i < out->n_rows; ++i) {
    const double* p = votes.probabilities + i * k;
    for (c = 0; c < k; ++c) {
      if (p[c] > 0 && p[c] < p[out->labels[i]]) out->labels[i] = (int32_t)c;
    }
  }
  return status;
}

static void Break(cf_learner* learner) {
  KeepOnlyProba(learner);
  learner->get_capability = NULL;
  learner->predict = BadPredict;
}
