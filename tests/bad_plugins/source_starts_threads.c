/* Defect: it reads on a thread more than it may. */
#include <pthread.h>

#include "broken_source.h"

static void* DoNothing(void* nothing) { return nothing; }

static cf_status CF_CALL BadOpen(const cf_call* call, const cf_arg* args, size_t n_args,
                                 const cf_source_input* input, struct ArrowArrayStream* out) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, &DoNothing, NULL) == 0) pthread_join(thread, NULL);
  return WorkingOpen(call, args, n_args, input, out);
}

static void Break(cf_source* source) { source->open = BadOpen; }
