/* Defect: importance writes the importance of the intercept after those of the features. */
#include "smoother.h"

static cf_status CF_CALL BadImportance(const cf_call* call, const cf_model* model, double* out,
                                       size_t n_features) {
  const cf_status status = SmootherImportance(call, model, out, n_features);
  out[n_features] = 1;
  return status;
}

static void Break(cf_learner* learner) {
  (void)learner;
  smoother_importance.importance = BadImportance;
}
