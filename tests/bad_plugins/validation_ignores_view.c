/* Defect: the validation rows are read by their positions, not by the row index. */
#include "smoother.h"

static cf_status CF_CALL BadFitValidated(const cf_call* call, const cf_arg* args, size_t n_args,
                                         const cf_table* train, const cf_table* validation,
                                         cf_model** out) {
  cf_table changed = *validation;
  changed.rows = NULL;
  return SmootherFitValidated(call, args, n_args, train, &changed, out);
}

static void Break(cf_learner* learner) {
  (void)learner;
  smoother_validation.fit_validated = BadFitValidated;
}
