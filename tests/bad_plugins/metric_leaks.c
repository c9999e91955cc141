/* Defect: it forgets some memory. */
#include "broken_metric.h"

#include <stdlib.h>

static void* volatile forgotten; /* seen from outside, so that the compiler keeps the call */

static cf_status CF_CALL BadScore(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_metric_input* input, double* value) {
  forgotten = malloc(200);
  return WorkingScore(call, args, n_args, input, value);
}

static void Break(cf_metric* metric) { metric->score = BadScore; }
