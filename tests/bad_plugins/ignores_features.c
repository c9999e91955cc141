/* Defect: predict never looks at the rows that it is asked about. */
#include "smoother.h"

/* The training row with the largest entries. */
static int64_t LargestRow(const Smoother* s) {
  int64_t i, j, largest = 0;
  double most = -INFINITY;
  for (i = 0; i < s->n_rows; ++i) {
    double sum = 0;
    for (j = 0; j < s->n_features; ++j) {
      const double entry = EntriesOf(RecordAt(s, i))[j];
      sum += isnan(entry) ? 0 : entry;
    }
    if (sum > most) most = sum, largest = i;
  }
  return largest;
}

static cf_status CF_CALL BadPredict(const cf_call* call, const cf_model* model,
                                    const cf_table* rows, cf_prediction* out) {
  const Smoother* s = (const Smoother*)model;
  const double target = TargetOf(s, LargestRow(s));
  const cf_status status = SmootherPredict(call, model, rows, out);
  int64_t i;
  for (i = 0; status == CF_OK && i < out->n_rows; ++i) {
    if (out->labels != NULL) out->labels[i] = (int32_t)target;
    if (out->values != NULL) out->values[i] = target;
  }
  return status;
}

static void Break(cf_learner* learner) {
  KeepOnlyProba(learner);
  learner->get_capability = NULL;
  learner->predict = BadPredict;
}
