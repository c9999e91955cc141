/* Defect: a saved model lacks one of the settings. */
#include "smoother.h"

static cf_status CF_CALL BadLoad(const cf_call* call, const cf_reader* reader, cf_model** out) {
  const cf_status status = SmootherLoad(call, reader, out);
  if (status == CF_OK) ((Smoother*)*out)->power = 1;
  return status;
}

static void Break(cf_learner* learner) {
  (void)learner;
  smoother_serialize.load = BadLoad;
}
