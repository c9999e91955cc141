/* Defect: a clone is the same model once more, so that what is done to it is done to both. */
#include "smoother.h"

/* How many clones there are stands in n_widths, below 0. */
static cf_status CF_CALL BadClone(const cf_call* call, const cf_model* model, cf_model** out) {
  (void)call;
  --((Smoother*)(uintptr_t)model)->n_widths;
  *out = (cf_model*)(uintptr_t)model;
  return CF_OK;
}

static void CF_CALL BadDestroy(const cf_info* self, cf_model* model) {
  Smoother* s = (Smoother*)model;
  if (s != NULL && s->n_widths < 0) {
    ++s->n_widths;
  } else {
    SmootherDestroy(self, model);
  }
}

static void Break(cf_learner* learner) {
  learner->destroy = BadDestroy;
  smoother_incremental.clone = BadClone;
}
