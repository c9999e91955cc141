/* Defect: later rows count more. */
#include "broken_metric.h"

static cf_status CF_CALL BadScore(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_metric_input* input, double* value) {
  double right = 0, total = 0;
  int64_t i;
  (void)args, (void)n_args;
  for (i = 0; i < input->n_rows; ++i) {
    const double weight = (double)(i + 1);
    total += weight;
    if (input->labels[i] == input->truth_labels[i]) right += weight;
  }
  if (input->weights != NULL || input->n_rows == 0) {
    return WorkingScore(call, args, n_args, input, value);
  }
  *value = right / total;
  return CF_OK;
}

static void Break(cf_metric* metric) { metric->score = BadScore; }
