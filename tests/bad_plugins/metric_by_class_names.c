/* Defect: classes whose names begin with z do not count. */
#include "broken_metric.h"

static cf_status CF_CALL BadScore(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_metric_input* input, double* value) {
  WorkingCounts counts = {0, 0};
  int64_t i;
  (void)args, (void)n_args;
  WorkingCount(input, &counts);
  for (i = 0; i < input->n_rows; ++i) {
    const double weight = input->weights == NULL ? 1 : input->weights[i];
    if (input->class_names[input->truth_labels[i]][0] != 'z') continue;
    if (input->labels[i] == input->truth_labels[i]) counts.right -= weight;
  }
  return WorkingShare(call, &counts, value);
}

static void Break(cf_metric* metric) { metric->score = BadScore; }
