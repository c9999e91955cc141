/* Defect: what predict says about a row depends on how many others it is asked about. */
#include "smoother.h"

static cf_status CF_CALL BadPredict(const cf_call* call, const cf_model* model,
                                    const cf_table* rows, cf_prediction* out) {
  const Smoother* s = (const Smoother*)model;
  return Ask(call, s, s->width * (1 + 1 / (1.0 + (double)rows->n_rows)), rows, out);
}

static void Break(cf_learner* learner) {
  KeepOnlyProba(learner);
  learner->predict = BadPredict;
  smoother_proba.predict_proba = BadPredict;
}
