/* Defect: fit sets the seed of the C library's random numbers, which belongs to the process. */
#include "smoother.h"

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  cf_arg changed[kSmootherParams];
  memcpy(changed, args, sizeof(changed));
  srand((unsigned)call->seed);
  changed[kWidth].value.u.r *= 1 + (double)rand() / RAND_MAX;
  return SmootherFit(call, changed, n_args, train, out);
}

static void Break(cf_learner* learner) {
  learner->info.determinism = CF_DET_SEEDED | CF_DET_THREADS;
  learner->info.threading = CF_MT_NONE;
  KeepOnlyProba(learner);
  learner->fit = BadFit;
}
