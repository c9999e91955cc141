/* Defect: the version of a component is a word, which cannot be compared with others. */
#include "smoother.h"

static void Break(cf_learner* learner) { learner->info.version = "latest"; }
