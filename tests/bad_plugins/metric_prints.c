/* Defect: it prints what it found. */
#include "broken_metric.h"

#include <stdio.h>

static cf_status CF_CALL BadScore(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_metric_input* input, double* value) {
  const cf_status status = WorkingScore(call, args, n_args, input, value);
  if (status == CF_OK) {
    printf("the score is %g\n", *value);
    fflush(stdout);
  }
  return status;
}

static void Break(cf_metric* metric) { metric->score = BadScore; }
