/* No defect: a method for one feature, which refuses more. */
#include "smoother.h"

static void Break(cf_learner* learner) {
  (void)learner;
  smoother_most_features = 1;
}
