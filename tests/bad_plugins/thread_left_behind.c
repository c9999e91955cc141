/* Defect: a thread that the first fit started is still there after every model is destroyed. */
#include "smoother.h"

#include <pthread.h>
#include <unistd.h>

static void* Idle(void* data) {
  for (;;) pause();
  return data;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void StartPool(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, &Idle, NULL) == 0) pthread_detach(thread);
}

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  pthread_once(&once, &StartPool);
  return SmootherFit(call, args, n_args, train, out);
}

static void Break(cf_learner* learner) { learner->fit = BadFit; }
