/* Defect: a constructor changes the mode mask of new files. */
#include "smoother.h"

#include <sys/stat.h>

__attribute__((constructor)) static void OnLoad(void) { umask(077); }

static void Break(cf_learner* learner) { (void)learner; }
