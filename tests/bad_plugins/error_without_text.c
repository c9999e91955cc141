/* Defect: predict fails and does not say why. */
#include "smoother.h"

static void CF_CALL SayNothing(const cf_call* call, cf_status code, const char* message) {
  (void)call, (void)code, (void)message;
}

static cf_status CF_CALL BadPredict(const cf_call* call, const cf_model* model,
                                    const cf_table* rows, cf_prediction* out) {
  cf_host host = *call->host;
  cf_call changed = *call;
  host.fail = SayNothing;
  changed.host = &host;
  return SmootherPredict(&changed, model, rows, out);
}

static void Break(cf_learner* learner) {
  learner->predict = BadPredict;
  smoother_proba.predict_proba = BadPredict;
}
