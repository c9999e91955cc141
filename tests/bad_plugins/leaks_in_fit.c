/* Defect: fit forgets some memory. */
#include "smoother.h"

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  static char* volatile forgotten; /* or the compiler leaves the call out */
  forgotten = (char*)malloc(20000);
  if (forgotten != NULL) memset(forgotten, 1, 20000);
  return SmootherFit(call, args, n_args, train, out);
}

static void Break(cf_learner* learner) { learner->fit = BadFit; }
