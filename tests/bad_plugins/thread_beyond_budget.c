/* Defect: fit starts a thread although it may use one. */
#include "smoother.h"

#include <pthread.h>
#include <time.h>

static void* Work(void* data) {
  const struct timespec a_while = {0, 2000000};
  nanosleep(&a_while, NULL);
  return data;
}

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  pthread_t thread;
  *out = NULL;
  if (pthread_create(&thread, NULL, &Work, NULL) != 0) {
    return FailBecause(call, CF_E_OUT_OF_MEMORY, "no thread");
  }
  pthread_join(thread, NULL);
  return SmootherFit(call, args, n_args, train, out);
}

static void Break(cf_learner* learner) { learner->fit = BadFit; }
