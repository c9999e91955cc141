/* The width follows from the number of the process. */
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>

#include "bad_plugins/smoother.h"

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  cf_arg changed[kSmootherParams];
  memcpy(changed, args, sizeof(changed));
  changed[kWidth].value.u.r *= 1 + (double)getpid() / 1e6;
  return SmootherFit(call, changed, n_args, train, out);
}

static void Break(cf_learner* learner) {
  learner->get_capability = OnlyProba;
  learner->fit = BadFit;
}
