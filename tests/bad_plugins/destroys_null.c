/* Defect: destroy does not take NULL. */
#include "smoother.h"

static void CF_CALL BadDestroy(const cf_info* self, cf_model* model) {
  *(volatile int64_t*)&((Smoother*)model)->n_rows = 0;
  SmootherDestroy(self, model);
}

static void Break(cf_learner* learner) { learner->destroy = BadDestroy; }
