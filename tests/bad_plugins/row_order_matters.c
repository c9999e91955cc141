/* Defect: sums run in the order of the training rows, although CF_DET_ROW_ORDER is declared. */
#include "smoother.h"

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  const cf_status status = SmootherFit(call, args, n_args, train, out);
  if (status != CF_OK) return status;
  ((Smoother*)*out)->n_rows = 0;
  return ReadRows(call, train, NULL, (Smoother*)*out);
}

static void Break(cf_learner* learner) {
  learner->fit = BadFit;
  KeepOnlyProba(learner);
}
