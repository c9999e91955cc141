/* Defect: a saved model has its address in it. */
#include "smoother.h"

static cf_status CF_CALL BadSave(const cf_call* call, const cf_model* model,
                                 const cf_writer* writer) {
  Smoother changed = *(const Smoother*)model;
  changed.power += (int64_t)((uintptr_t)model / 16 * 1000);
  return SmootherSave(call, (const cf_model*)&changed, writer);
}

static cf_status CF_CALL BadLoad(const cf_call* call, const cf_reader* reader, cf_model** out) {
  const cf_status status = SmootherLoad(call, reader, out);
  if (status == CF_OK) ((Smoother*)*out)->power %= 1000;
  return status;
}

static void Break(cf_learner* learner) {
  (void)learner;
  smoother_serialize.save = BadSave;
  smoother_serialize.load = BadLoad;
}
