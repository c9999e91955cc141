/* Defect: a constructor changes the locale of the process. */
#include "smoother.h"

#include <locale.h>

__attribute__((constructor)) static void OnLoad(void) { setlocale(LC_ALL, "C.UTF-8"); }

static void Break(cf_learner* learner) { (void)learner; }
