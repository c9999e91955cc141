/* Defect: predict_at answers with the value after the requested one. */
#include "smoother.h"

static cf_status CF_CALL BadPredictAt(const cf_call* call, const cf_model* model, size_t value,
                                      const cf_table* rows, cf_prediction* out) {
  const Smoother* s = (const Smoother*)model;
  const size_t next = (int64_t)value + 1 < s->n_widths ? value + 1 : value;
  return SmootherPredictAt(call, model, next, rows, out);
}

static void Break(cf_learner* learner) {
  (void)learner;
  smoother_fit_path.predict_at = BadPredictAt;
  smoother_prepare.fit_path_prepared = NULL;
}
