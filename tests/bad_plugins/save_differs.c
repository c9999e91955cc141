/* Defect: a saved model tells how often it has been loaded. */
#include "smoother.h"

/* Stands above the power, which it leaves as it is. */
enum { kOneLoad = 1000 };

static cf_status CF_CALL BadLoad(const cf_call* call, const cf_reader* reader, cf_model** out) {
  const cf_status status = SmootherLoad(call, reader, out);
  if (status == CF_OK) ((Smoother*)*out)->power += kOneLoad;
  return status;
}

static cf_status CF_CALL BadPredict(const cf_call* call, const cf_model* model,
                                    const cf_table* rows, cf_prediction* out) {
  Smoother same = *(const Smoother*)model;
  same.power %= kOneLoad;
  return Ask(call, &same, same.width, rows, out);
}

static void Break(cf_learner* learner) {
  learner->predict = BadPredict;
  smoother_proba.predict_proba = BadPredict;
  smoother_serialize.load = BadLoad;
}
