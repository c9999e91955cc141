/* Defect: fit draws from the C library and not from the call. */
#include "smoother.h"

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  cf_arg changed[kSmootherParams];
  memcpy(changed, args, sizeof(changed));
  changed[kWidth].value.u.r *= 1 + (double)rand() / RAND_MAX;
  args = changed;
  return SmootherFit(call, args, n_args, train, out);
}

static void Break(cf_learner* learner) {
  KeepOnlyProba(learner);
  learner->info.determinism = CF_DET_SEEDED | CF_DET_THREADS;
  learner->info.threading = CF_MT_NONE;
  learner->fit = BadFit;
}
