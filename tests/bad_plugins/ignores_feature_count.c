/* Defect: predict takes any number of features. */
#include "smoother.h"

static cf_status CF_CALL BadPredict(const cf_call* call, const cf_model* model,
                                    const cf_table* rows, cf_prediction* out) {
  cf_table changed = *rows;
  const Smoother* s = (const Smoother*)model;
  if (rows->n_features > s->n_features) changed.n_features = s->n_features;
  if (rows->n_features < s->n_features) {
    Smoother narrow = *s;
    cf_column columns[64];
    int64_t j;
    for (j = 0; j < s->n_features && j < 64; ++j) {
      columns[j] = rows->features[j < rows->n_features ? j : rows->n_features - 1];
    }
    changed.features = columns;
    changed.n_features = s->n_features;
    return Ask(call, &narrow, s->width, &changed, out);
  }
  return SmootherPredict(call, model, &changed, out);
}

static void Break(cf_learner* learner) {
  learner->accepts &= ~(uint32_t)CF_ACCEPTS_NO_FEATURES;
  learner->predict = BadPredict;
  smoother_proba.predict_proba = BadPredict;
}
