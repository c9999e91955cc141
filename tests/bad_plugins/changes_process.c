/* Defect: a constructor changes the locale, the rounding mode and denormal numbers of the host, as
 * -Ofast does with the last (GCC bug 55522). */
#include "working_plugin.h"

#include <fenv.h>
#include <locale.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

__attribute__((constructor)) static void ChangeProcess(void) {
  setlocale(LC_ALL, "C.UTF-8");
  fesetround(FE_DOWNWARD);
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8040u); /* flush to zero, denormals are zero */
#endif
}

CF_MANIFEST(WORKING_MANIFEST("bad.changes_process"));

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_learner learner;
  static const cf_learner* const learners[] = {&learner};
  static cf_plugin plugin;
  (void)host_abi_minor, (void)host;
  FillLearner(&learner, "bad.changes_process");
  FillPlugin(&plugin, "bad.changes_process", learners);
  return &plugin;
}
