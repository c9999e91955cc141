/* Defect: a constructor switches denormal numbers off, as a library linked with -Ofast does by
 * GCC 12 (GCC bug 55522). */
#include "smoother.h"

#if defined(__x86_64__)
#include <xmmintrin.h>

__attribute__((constructor)) static void OnLoad(void) { _mm_setcsr(_mm_getcsr() | 0x8040u); }
#endif

static void Break(cf_learner* learner) { (void)learner; }
