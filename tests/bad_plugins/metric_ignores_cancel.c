/* Defect: it goes on when the host has said stop. */
#include "broken_metric.h"

static cf_status CF_CALL BadScore(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_metric_input* input, double* value) {
  (void)call->host->progress(call, 0);
  return WorkingScore(call, args, n_args, input, value);
}

static void Break(cf_metric* metric) { metric->score = BadScore; }
