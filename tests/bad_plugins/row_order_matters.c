/* Defect: the result depends on the order of the training rows, although it declares that not. */
#include "smoother.h"

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  /* The first row counts twice. */
  double* weights = (double*)call->host->scratch(call, (size_t)train->n_rows * 8 + 8, 8);
  cf_table changed = *train;
  int64_t i;
  if (weights == NULL) return FailBecause(call, CF_E_OUT_OF_MEMORY, "out of memory");
  for (i = 0; i < train->n_rows; ++i) {
    weights[i] = (i == 0 ? 2 : 1) * (train->weights == NULL ? 1 : train->weights[i]);
  }
  changed.weights = weights;
  train = &changed;
  return SmootherFit(call, args, n_args, train, out);
}

static void Break(cf_learner* learner) {
  learner->get_capability = OnlyProba;
  learner->fit = BadFit;
}
