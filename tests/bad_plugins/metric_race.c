/* Defect: calls count in static variables, although CF_MT_PREDICT is declared. They yield, so that
 * the race is lost surely. */
#include "broken_metric.h"

#include <sched.h>

static cf_status CF_CALL BadScore(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_metric_input* input, double* value) {
  static WorkingCounts volatile shared;
  WorkingCounts counts;
  int64_t i;
  (void)args, (void)n_args;
  shared.right = shared.total = 0;
  for (i = 0; i < input->n_rows; ++i) {
    const double weight = input->weights == NULL ? 1 : input->weights[i];
    shared.total += weight;
    if (input->labels[i] == input->truth_labels[i]) shared.right += weight;
    sched_yield();
  }
  counts.right = shared.right;
  counts.total = shared.total;
  return WorkingShare(call, &counts, value);
}

static void Break(cf_metric* metric) { metric->score = BadScore; }
