/* Defect: a fit from another model goes on in that model. */
#include "smoother.h"

static cf_status CF_CALL BadFitFrom(const cf_call* call, const cf_arg* args, size_t n_args,
                                    const cf_table* train, const cf_model* start, cf_model** out) {
  ((Smoother*)(uintptr_t)start)->width *= 2;
  return SmootherFit(call, args, n_args, train, out);
}

static void Break(cf_learner* learner) {
  (void)learner;
  smoother_warm_start.fit_from = BadFitFrom;
}
