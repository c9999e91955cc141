/* Defect: a constructor installs a signal handler. */
#include "smoother.h"

#include <signal.h>

static void Ignore(int number) { (void)number; }

__attribute__((constructor)) static void OnLoad(void) { signal(SIGINT, &Ignore); }

static void Break(cf_learner* learner) { (void)learner; }
