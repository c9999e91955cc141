/* Learners whose library does something to the process when it is loaded: one library for each, of
 * the name that CMakeLists.txt gives as DEFECT. */
#define _GNU_SOURCE
#include <string.h>

#include "disturbances.h"
#include "smoother.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
/* Flush to zero, denormals are zero: as a library linked with -Ofast by GCC 12 does (GCC bug
 * 55522). */
static void SwitchDenormalsOff(void) { _mm_setcsr(_mm_getcsr() | 0x8040u); }
#else
static void SwitchDenormalsOff(void) {}
#endif

static void ChangeProcess(void) {
  ChangeLocale();
  fesetround(FE_DOWNWARD);
  SwitchDenormalsOff();
}
static void HandleSignal(void) { signal(SIGINT, &IgnoreSignal); }
static void Print(void) { SayLine("smoother 1.0, all rights reserved"); }
static void Sleep(void) {
  const struct timespec a_while = {0, 150000000};
  nanosleep(&a_while, NULL);
}
static void AbortAtExit(void) { atexit(&abort); }

static const struct {
  const char* defect;
  void (*run)(void);
} kDefects[] = {
    {"changes_process", ChangeProcess},
    {"crashes_at_exit", AbortAtExit},
    {"denormals_at_load", SwitchDenormalsOff},
    {"descriptor_at_load", KeepFileOpen},
    {"directory_at_load", ChangeDirectory},
    {"environment_at_load", SetVariable},
    {"handler_at_load", HandleSignal},
    {"locale_at_load", ChangeLocale},
    {"prints_at_load", Print},
    {"rounding_at_load", RoundUp},
    {"slow_load", Sleep},
    {"thread_at_load", StartIdleThread},
    {"umask_at_load", ChangeUmask},
};

__attribute__((constructor)) static void OnLoad(void) {
  size_t i;
  for (i = 0; i < sizeof(kDefects) / sizeof(kDefects[0]); ++i) {
    if (strcmp(kDefects[i].defect, DEFECT) == 0) kDefects[i].run();
  }
}

CF_MANIFEST(WORKING_MANIFEST("bad." DEFECT));

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  (void)host_abi_minor, (void)host;
  return EnterSmoother("bad." DEFECT, NULL);
}
