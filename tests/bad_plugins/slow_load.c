/* Defect: a constructor takes a second. */
#include "smoother.h"

#include <time.h>

__attribute__((constructor)) static void OnLoad(void) {
  struct timespec second = {1, 0};
  nanosleep(&second, NULL);
}

static void Break(cf_learner* learner) { (void)learner; }
