/* Defect: more than ten classes do not fit its table. */
#include "broken_metric.h"

static cf_status CF_CALL BadScore(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_metric_input* input, double* value) {
  if (input->n_classes > 10) {
    call->host->fail(call, CF_E_UNSUPPORTED, "more than ten classes");
    return CF_E_UNSUPPORTED;
  }
  return WorkingScore(call, args, n_args, input, value);
}

static void Break(cf_metric* metric) { metric->score = BadScore; }
