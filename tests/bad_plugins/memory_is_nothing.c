/* Defect: a model says that it takes no memory. */
#include "smoother.h"

static uint64_t CF_CALL BadBytes(const cf_info* self, const cf_model* model) {
  (void)self;
  (void)model;
  return 0;
}

static void Break(cf_learner* learner) {
  (void)learner;
  smoother_memory.model_bytes = BadBytes;
}
