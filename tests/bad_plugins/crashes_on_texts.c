/* Defect: a text is copied into room for 100 bytes. */
#include "smoother.h"

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  if (args[kTitle].value.u.s.n > 100) abort(); /* what copying it may come to */
  return SmootherFit(call, args, n_args, train, out);
}

static void Break(cf_learner* learner) { learner->fit = BadFit; }
