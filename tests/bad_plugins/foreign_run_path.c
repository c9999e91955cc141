/* Defect: it looks for libraries in a folder of the machine that built it (see CMakeLists.txt). */
#include "smoother.h"

static void Break(cf_learner* learner) { (void)learner; }
