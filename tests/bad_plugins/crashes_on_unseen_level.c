/* Defect: predict indexes a table of the levels that it saw in training. */
#include "smoother.h"

static cf_status CF_CALL BadPredict(const cf_call* call, const cf_model* model,
                                    const cf_table* rows, cf_prediction* out) {
  const Smoother* s = (const Smoother*)model;
  int64_t i, j, r;
  for (j = 0; j < s->n_features && j < rows->n_features; ++j) {
    if (!s->is_category[j]) continue;
    for (i = 0; i < rows->n_rows; ++i) {
      const double entry = ReadEntry(&rows->features[j], RowOf(rows, i));
      int seen = isnan(entry);
      for (r = 0; r < s->n_rows && !seen; ++r) seen = EntriesOf(RecordAt(s, r))[j] == entry;
      if (!seen) abort();
    }
  }
  return SmootherPredict(call, model, rows, out);
}

static void Break(cf_learner* learner) {
  learner->predict = BadPredict;
  smoother_proba.predict_proba = BadPredict;
}
