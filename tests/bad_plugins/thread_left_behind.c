/* Defect: a thread that fit started is still there after destroy. */
#include "smoother.h"

#include <pthread.h>
#include <unistd.h>

static void* Idle(void* data) {
  for (;;) pause();
  return data;
}

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  pthread_t thread;
  (void)call;
  if (pthread_create(&thread, NULL, &Idle, NULL) != 0) return CF_E_INTERNAL;
  pthread_detach(thread);
  return SmootherFit(call, args, n_args, train, out);
}

static void Break(cf_learner* learner) {
  learner->info.process_flags = CF_USES_THREADS;
  learner->fit = BadFit;
}
