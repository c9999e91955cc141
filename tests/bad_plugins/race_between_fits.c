/* Defect: fits keep their place in a static variable, although CF_MT_OBJECTS is declared. They
 * yield, so that the race is lost surely. */
#include "smoother.h"

#include <sched.h>

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  static double* volatile weights;
  cf_table changed = *train;
  int64_t i;
  *out = NULL;
  weights = (double*)call->host->scratch(call, (size_t)train->n_rows * 8 + 8, 8);
  if (weights == NULL) return FailBecause(call, CF_E_OUT_OF_MEMORY, "out of memory");
  for (i = 0; i < train->n_rows; ++i) {
    weights[i] = train->weights == NULL ? 1 : train->weights[i];
    sched_yield();
  }
  changed.weights = weights;
  train = &changed;
  return SmootherFit(call, args, n_args, train, out);
}

static void Break(cf_learner* learner) {
  KeepOnlyProba(learner);
  learner->info.threading = CF_MT_OBJECTS;
  learner->fit = BadFit;
}
