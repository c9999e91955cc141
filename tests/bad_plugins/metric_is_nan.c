/* Defect: without rows the value is NaN instead of undefined. */
#include "broken_metric.h"

#include <math.h>

static cf_status CF_CALL BadScore(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_metric_input* input, double* value) {
  if (input->n_rows == 0) {
    *value = NAN;
    return CF_OK;
  }
  return WorkingScore(call, args, n_args, input, value);
}

static void Break(cf_metric* metric) { metric->score = BadScore; }
