/* Defect: a constructor changes the working directory. */
#include "smoother.h"

#include <unistd.h>

__attribute__((constructor)) static void OnLoad(void) {
  if (chdir("/") != 0) return;
}

static void Break(cf_learner* learner) { (void)learner; }
