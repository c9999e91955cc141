/* Defect: fit writes into the columns that it was lent, here to make -0 a 0. */
#include "smoother.h"

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  int64_t j, i;
  for (j = 0; j < train->n_features; ++j) {
    if (train->features[j].dtype != CF_F64) continue;
    for (i = 0; i < train->n_rows; ++i) {
      volatile double* entries = (volatile double*)train->features[j].data;
      entries[RowOf(train, i)] = entries[RowOf(train, i)] + 0.0;
    }
  }
  return SmootherFit(call, args, n_args, train, out);
}

static void Break(cf_learner* learner) { learner->fit = BadFit; }
