/* Defect: it exports a function beside the entry function. */
#include "smoother.h"

CF_EXPORT int smoother_version(void);
int smoother_version(void) { return 1; }

static void Break(cf_learner* learner) { (void)learner; }
