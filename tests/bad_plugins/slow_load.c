/* Defect: a constructor takes 150 ms. */
#include "smoother.h"

#include <time.h>

__attribute__((constructor)) static void OnLoad(void) {
  struct timespec a_while = {0, 150000000};
  nanosleep(&a_while, NULL);
}

static void Break(cf_learner* learner) { (void)learner; }
