/* Defect: predict keeps its place in a static variable, although it declares CF_MT_PREDICT. It
 * yields, so that the race is lost surely. */
#include "smoother.h"

#include <sched.h>

static cf_status CF_CALL BadPredict(const cf_call* call, const cf_model* model,
                                    const cf_table* rows, cf_prediction* out) {
  static volatile int64_t place;
  cf_status status = CF_OK;
  for (place = 0; status == CF_OK && place < rows->n_rows; ++place) {
    const int64_t i = place, row = RowOf(rows, i);
    cf_table one = *rows;
    cf_prediction to = *out;
    one.n_rows = to.n_rows = 1;
    one.rows = &row;
    if (to.labels != NULL) to.labels += i;
    if (to.values != NULL) to.values += i;
    if (to.probabilities != NULL) to.probabilities += i * out->n_classes;
    status = SmootherPredict(call, model, &one, &to);
    sched_yield();
  }
  return status;
}

static void Break(cf_learner* learner) {
  KeepOnlyProba(learner);
  learner->predict = BadPredict;
  smoother_proba.predict_proba = BadPredict;
}
