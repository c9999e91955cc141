/* Defect: fit to no rows gives a model instead of an error. */
#include "smoother.h"

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  if (train->n_rows > 0) return SmootherFit(call, args, n_args, train, out);
  *out = (cf_model*)calloc(1, sizeof(Smoother));
  return CF_OK;
}

static void Break(cf_learner* learner) { learner->fit = BadFit; }
