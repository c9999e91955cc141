/* Defect: fit changes the rounding mode and leaves it so. */
#include "smoother.h"

#include <fenv.h>

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  fesetround(FE_UPWARD);
  return SmootherFit(call, args, n_args, train, out);
}

static void Break(cf_learner* learner) {
  KeepOnlyProba(learner);
  learner->fit = BadFit;
}
