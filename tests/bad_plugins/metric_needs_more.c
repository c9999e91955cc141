/* Defect: it cannot do without probabilities, which it does not declare to need. */
#include "broken_metric.h"

static cf_status CF_CALL BadScore(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_metric_input* input, double* value) {
  if (input->probabilities == NULL && input->n_rows > 0) {
    call->host->fail(call, CF_E_INVALID_ARGUMENT, "there are no probabilities");
    return CF_E_INVALID_ARGUMENT;
  }
  return WorkingScore(call, args, n_args, input, value);
}

static void Break(cf_metric* metric) { metric->score = BadScore; }
