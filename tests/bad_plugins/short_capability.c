/* Defect: the size of a capability's table is 0. */
#include "smoother.h"

static void Break(cf_learner* learner) {
  smoother_importance.struct_size = 0;
  (void)learner;
}
