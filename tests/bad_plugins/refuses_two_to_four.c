/* Defect: it refuses two to four features, though it takes one and many. */
#include "smoother.h"

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  *out = NULL;
  if (train->n_features < 2 || train->n_features > 4) {
    return SmootherFit(call, args, n_args, train, out);
  }
  return FailBecause(call, CF_E_UNSUPPORTED_DATA, "it takes one feature only");
}

static void Break(cf_learner* learner) {
  KeepOnlyProba(learner);
  learner->fit = BadFit;
}
