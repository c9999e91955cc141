/* Defect: destroy frees a part of the model twice. */
#include "smoother.h"

static void CF_CALL BadDestroy(const cf_info* self, cf_model* model) {
  if (model != NULL) free(((Smoother*)model)->rows);
  SmootherDestroy(self, model);
}

static void Break(cf_learner* learner) { learner->destroy = BadDestroy; }
