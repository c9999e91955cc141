/* Defect: two parameters have one name. */
#include "smoother.h"

static void Break(cf_learner* learner) {
  smoother_params[kPower].name = "width";
  (void)learner;
}
