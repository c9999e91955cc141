/* Defect: fit changes the working directory. */
#include "smoother.h"

#include <unistd.h>

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  if (chdir("/") != 0) return CF_E_INTERNAL;
  return SmootherFit(call, args, n_args, train, out);
}

static void Break(cf_learner* learner) { learner->fit = BadFit; }
