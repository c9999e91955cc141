/* What no plugin may do to the process that it is loaded into. _GNU_SOURCE is defined before any
 * header is included. */
#ifndef CROSSFOLD_TESTS_DISTURBANCES_H
#define CROSSFOLD_TESTS_DISTURBANCES_H

#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static inline void ChangeLocale(void) { setlocale(LC_ALL, "C.UTF-8"); }
static inline void RoundUp(void) { fesetround(FE_UPWARD); }
static inline void ChangeUmask(void) { umask(077); }
static inline void ChangeDirectory(void) {
  if (chdir("/") != 0) abort();
}
static inline void SetVariable(void) { setenv("OMP_NUM_THREADS", "1", 1); }
static inline void KeepFileOpen(void) { (void)open("/dev/null", O_RDONLY); }
static inline void IgnoreSignal(int number) { (void)number; }
static inline void Forget(void) {
  void* volatile forgotten = malloc(200); /* volatile, so that the compiler keeps the call */
  (void)forgotten;
}
static inline void SayLine(const char* line) {
  puts(line);
  fflush(stdout);
}

static inline void* Idle(void* data) {
  for (;;) pause();
  return data;
}
static inline void StartIdleThread(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, &Idle, NULL) == 0) pthread_detach(thread);
}

#endif
