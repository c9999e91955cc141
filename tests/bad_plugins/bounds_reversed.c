/* Defect: the lower bound of a parameter is above the upper one. */
#include "smoother.h"

static void Break(cf_learner* learner) {
  smoother_params[kPower].ilo = 9;
  (void)learner;
}
