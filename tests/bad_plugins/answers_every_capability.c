/* Defect: ids of capabilities are compared by their first characters only. */
#include "smoother.h"

static const void* CF_CALL BadCapability(const cf_info* self, const char* id) {
  return strncmp(id, "crossfold.proba", 15) == 0 ? &smoother_proba : SmootherCapability(self, id);
}

static void Break(cf_learner* learner) { learner->get_capability = BadCapability; }
