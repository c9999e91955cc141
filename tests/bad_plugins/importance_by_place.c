/* Defect: the importances are sorted, and not those of their features. */
#include "smoother.h"

static cf_status CF_CALL BadImportance(const cf_call* call, const cf_model* model, double* out,
                                       size_t n_features) {
  const cf_status status = SmootherImportance(call, model, out, n_features);
  size_t i, j;
  for (i = 0; i < n_features; ++i) {
    for (j = i + 1; j < n_features; ++j) {
      const double kept = out[i];
      if (out[j] <= kept) continue;
      out[i] = out[j];
      out[j] = kept;
    }
  }
  return status;
}

static void Break(cf_learner* learner) {
  (void)learner;
  smoother_importance.importance = BadImportance;
}
