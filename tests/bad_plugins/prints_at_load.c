/* Defect: a constructor prints. */
#include "smoother.h"

__attribute__((constructor)) static void OnLoad(void) {
  puts("smoother 1.0, all rights reserved");
  fflush(stdout);
}

static void Break(cf_learner* learner) { (void)learner; }
