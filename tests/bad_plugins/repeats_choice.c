/* Defect: a parameter has one choice twice. */
#include "smoother.h"

static const char* const kShapes[] = {"tails", "tails"};

static void Break(cf_learner* learner) {
  smoother_params[kShape].choices = kShapes;
  (void)learner;
}
