/* Defect: fit depends on the clock. */
#include "smoother.h"

#include <time.h>

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  struct timespec now;
  cf_arg changed[kSmootherParams];
  (void)n_args;
  clock_gettime(CLOCK_REALTIME, &now);
  memcpy(changed, args, sizeof(changed));
  changed[kWidth].value.u.r *= 1 + 1e-9 * (double)now.tv_nsec;
  args = changed;
  return SmootherFit(call, args, n_args, train, out);
}

static void Break(cf_learner* learner) {
  KeepOnlyProba(learner);
  learner->info.determinism = CF_DET_SEEDED | CF_DET_THREADS;
  learner->fit = BadFit;
}
