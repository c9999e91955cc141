/* Defect: a parameter is active if another one, which there is not, has a value. */
#include "smoother.h"

static void Break(cf_learner* learner) {
  smoother_params[kPower].active_if = "kernel=tails";
  (void)learner;
}
