/* Defect: the first column counts more than the others, whatever it is. */
#include "smoother.h"

static cf_status CF_CALL BadPredict(const cf_call* call, const cf_model* model,
                                    const cf_table* rows, cf_prediction* out) {
  const Smoother* s = (const Smoother*)model;
  double x = 0, y = 0;
  Smoother changed = *s;
  if (s->n_features > 0) {
    x = EntriesOf(RecordAt(s, 0))[0];
    y = EntriesOf(RecordAt(s, s->n_rows - 1))[0];
  }
  if (x == x && y == y) changed.width *= 1 + (y - x) * (y - x);
  return Ask(call, &changed, changed.width, rows, out);
}

static void Break(cf_learner* learner) {
  learner->predict = BadPredict;
  smoother_proba.predict_proba = BadPredict;
  KeepOnlyProba(learner);
}
