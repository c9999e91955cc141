/* Defect: the status of an error is another one than it told the host. */
#include "smoother.h"

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  const cf_status status = SmootherFit(call, args, n_args, train, out);
  return status == CF_OK ? CF_OK : CF_E_INTERNAL;
}

static void Break(cf_learner* learner) { learner->fit = BadFit; }
