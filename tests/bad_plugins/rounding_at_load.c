/* Defect: a constructor changes the rounding mode. */
#include "smoother.h"

#include <fenv.h>

__attribute__((constructor)) static void OnLoad(void) { fesetround(FE_UPWARD); }

static void Break(cf_learner* learner) { (void)learner; }
