/* Defect: the value is 100 times of what the declared bounds allow. */
#include "broken_metric.h"

static cf_status CF_CALL BadScore(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_metric_input* input, double* value) {
  const cf_status status = WorkingScore(call, args, n_args, input, value);
  if (status == CF_OK) *value *= 100;
  return status;
}

static void Break(cf_metric* metric) { metric->score = BadScore; }
