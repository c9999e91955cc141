/* Defect: a handler of exit() works on memory that is gone. */
#include "smoother.h"

static void Abort(void) { abort(); }

__attribute__((constructor)) static void OnLoad(void) { atexit(&Abort); }

static void Break(cf_learner* learner) { (void)learner; }
