/* Defect: the learner declares no task. */
#include "smoother.h"

static void Break(cf_learner* learner) { learner->tasks = 0; }
