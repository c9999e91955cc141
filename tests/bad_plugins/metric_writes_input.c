/* Defect: it writes into the predictions. */
#include "broken_metric.h"

static cf_status CF_CALL BadScore(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_metric_input* input, double* value) {
  volatile int32_t* labels = (volatile int32_t*)(uintptr_t)input->labels;
  int64_t i;
  for (i = 0; i < input->n_rows; ++i) labels[i] = labels[i];
  return WorkingScore(call, args, n_args, input, value);
}

static void Break(cf_metric* metric) { metric->score = BadScore; }
