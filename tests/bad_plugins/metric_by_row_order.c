/* Defect: sums run in the order of the rows, although CF_DET_ROW_ORDER is declared. */
#include "broken_metric.h"

static cf_status CF_CALL BadScore(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_metric_input* input, double* value) {
  double mean = 0, total = 0;
  const cf_status status = WorkingScore(call, args, n_args, input, value);
  int64_t i;
  for (i = 0; i < input->n_rows; ++i) {
    const double weight = input->weights == NULL ? 1 : input->weights[i];
    if (weight == 0) continue;
    total += weight;
    mean += ((input->labels[i] == input->truth_labels[i] ? 1 : 0) - mean) * (weight / total);
  }
  if (status == CF_OK) *value = mean > 1 ? 1 : mean;
  return status;
}

static void Break(cf_metric* metric) {
  metric->info.determinism |= CF_DET_ROW_ORDER;
  metric->score = BadScore;
}
