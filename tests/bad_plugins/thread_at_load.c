/* Defect: a constructor starts a thread. */
#include "smoother.h"

#include <pthread.h>
#include <unistd.h>

static void* Idle(void* data) {
  for (;;) pause();
  return data;
}

__attribute__((constructor)) static void OnLoad(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, &Idle, NULL);
}

static void Break(cf_learner* learner) { (void)learner; }
