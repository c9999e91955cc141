/* Defect: it cannot calculate with more than one feature, and calls that unsupported data. */
#include "smoother.h"

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  char text[96];
  *out = NULL;
  if (train->n_features <= 1) return SmootherFit(call, args, n_args, train, out);
  snprintf(text, sizeof(text), "there is no inverse, the pivot is %g",
           1e-9 * ReadEntry(&train->features[0], RowOf(train, 0)));
  return FailBecause(call, CF_E_UNSUPPORTED_DATA, text);
}

static void Break(cf_learner* learner) {
  KeepOnlyProba(learner);
  learner->fit = BadFit;
}
