/* Defect: fit forgets some memory. */
#include "smoother.h"

static void* volatile forgotten; /* seen from outside, so that the compiler keeps the call */

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  forgotten = malloc(200);
  return SmootherFit(call, args, n_args, train, out);
}

static void Break(cf_learner* learner) { learner->fit = BadFit; }
