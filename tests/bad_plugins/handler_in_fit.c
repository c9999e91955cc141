/* Defect: fit installs a handler of SIGSEGV. */
#include "smoother.h"

#include <signal.h>

static void Ignore(int number) { (void)number; }

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  signal(SIGSEGV, &Ignore);
  return SmootherFit(call, args, n_args, train, out);
}

static void Break(cf_learner* learner) { learner->fit = BadFit; }
