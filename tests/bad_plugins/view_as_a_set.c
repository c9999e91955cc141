/* Defect: a row that the view has twice is trained on once. */
#include "smoother.h"

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  const size_t n = (size_t)train->n_rows + 1;
  int64_t* rows = (int64_t*)call->host->scratch(call, n * sizeof(int64_t), 8);
  double* weights = (double*)call->host->scratch(call, n * sizeof(double), 8);
  cf_table once = *train;
  int64_t i, j;
  *out = NULL;
  if (train->rows == NULL) return SmootherFit(call, args, n_args, train, out);
  if (rows == NULL || weights == NULL) {
    return FailBecause(call, CF_E_OUT_OF_MEMORY, "out of memory");
  }
  once.n_rows = 0;
  for (i = 0; i < train->n_rows; ++i) {
    for (j = 0; j < once.n_rows && rows[j] != train->rows[i];) ++j;
    if (j < once.n_rows) continue;
    rows[j] = train->rows[i];
    weights[j] = train->weights == NULL ? 1 : train->weights[i];
    ++once.n_rows;
  }
  once.rows = rows;
  once.weights = weights;
  once.groups = once.row_ids = NULL;
  return SmootherFit(call, args, n_args, &once, out);
}

static void Break(cf_learner* learner) {
  KeepOnlyProba(learner);
  learner->fit = BadFit;
}
