/* Defect: a parameter is searched on a logarithmic scale from 0 on. */
#include "smoother.h"

static void Break(cf_learner* learner) {
  smoother_params[kWidth].lo = 0;
  (void)learner;
}
