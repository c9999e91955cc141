/* Defect: predict uses scratch memory without a look whether there is any. */
#include "smoother.h"

static cf_status CF_CALL BadPredict(const cf_call* call, const cf_model* model,
                                    const cf_table* rows, cf_prediction* out) {
  const cf_status status = SmootherPredict(call, model, rows, out);
  volatile char* memory;
  if (status != CF_OK) return status;
  memory = (volatile char*)call->host->scratch(call, 1000, 8);
  memory[0] = 1;
  return CF_OK;
}

static void Break(cf_learner* learner) {
  learner->predict = BadPredict;
  smoother_proba.predict_proba = BadPredict;
}
