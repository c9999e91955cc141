/* Defect: a constructor opens a file and keeps it. */
#include "smoother.h"

#include <fcntl.h>

__attribute__((constructor)) static void OnLoad(void) { (void)open("/dev/null", O_RDONLY); }

static void Break(cf_learner* learner) { (void)learner; }
