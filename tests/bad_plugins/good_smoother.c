/* No defect: the plugin that others break in one place. */
#include "smoother.h"

static void Break(cf_learner* learner) { (void)learner; }
