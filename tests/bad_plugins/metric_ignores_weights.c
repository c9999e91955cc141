/* Defect: the weights of the rows are ignored. */
#include "broken_metric.h"

static cf_status CF_CALL BadScore(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_metric_input* input, double* value) {
  cf_metric_input changed = *input;
  changed.weights = NULL;
  return WorkingScore(call, args, n_args, &changed, value);
}

static void Break(cf_metric* metric) { metric->score = BadScore; }
