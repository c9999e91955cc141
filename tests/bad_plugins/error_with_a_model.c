/* Defect: a fit that fails leaves a model. */
#include "smoother.h"

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  static Smoother half_done;
  const cf_status status = SmootherFit(call, args, n_args, train, out);
  if (status != CF_OK) *out = (cf_model*)&half_done;
  return status;
}

static void Break(cf_learner* learner) { learner->fit = BadFit; }
