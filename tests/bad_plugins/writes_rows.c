/* Defect: fit writes into the row ids that it was lent. */
#include "smoother.h"

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  volatile int64_t* rows = (volatile int64_t*)train->rows;
  int64_t i;
  for (i = 0; rows != NULL && i < train->n_rows; ++i) rows[i] = rows[i];
  return SmootherFit(call, args, n_args, train, out);
}

static void Break(cf_learner* learner) { learner->fit = BadFit; }
