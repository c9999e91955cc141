/* Defect: fit draws random numbers that change nothing. */
#include "smoother.h"

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  uint64_t number;
  call->host->random_u64(call, &number, 1);
  return SmootherFit(call, args, n_args, train, out);
}

static void Break(cf_learner* learner) {
  learner->info.determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_ROW_ORDER;
  learner->fit = BadFit;
}
