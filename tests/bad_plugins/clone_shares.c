/* Defect: a clone shares its rows with the model that it was made from. */
#include "smoother.h"

static cf_status CF_CALL BadClone(const cf_call* call, const cf_model* model, cf_model** out) {
  const cf_status status = SmootherClone(call, model, out);
  Smoother *from = (Smoother*)(uintptr_t)model, *to = (Smoother*)*out;
  if (status != CF_OK) return status;
  free(to->rows);
  to->rows = from->rows;
  return CF_OK;
}

/* Whoever shares rows does not free them. */
static void CF_CALL BadDestroy(cf_model* model) {
  if (model != NULL) ((Smoother*)model)->rows = NULL;
  SmootherDestroy(model);
}

static void Break(cf_learner* learner) {
  learner->destroy = BadDestroy;
  smoother_incremental.clone = BadClone;
}
