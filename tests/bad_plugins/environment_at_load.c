/* Defect: a constructor sets an environment variable. */
#include "smoother.h"

__attribute__((constructor)) static void OnLoad(void) { setenv("OMP_NUM_THREADS", "1", 1); }

static void Break(cf_learner* learner) { (void)learner; }
