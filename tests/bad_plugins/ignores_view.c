/* Defect: fit reads the first rows of the buffers instead of those of the view. */
#include "smoother.h"

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  cf_table changed = *train;
  changed.rows = NULL;
  train = &changed;
  return SmootherFit(call, args, n_args, train, out);
}

static void Break(cf_learner* learner) {
  KeepOnlyProba(learner);
  learner->fit = BadFit;
}
