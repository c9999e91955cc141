/* Defect: it forgets some memory. */
#include "broken_splitter.h"

static void* volatile forgotten; /* seen from outside, so that the compiler keeps the call */

static cf_status CF_CALL BadSplit(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_split_input* input, const cf_split_sink* sink) {
  forgotten = malloc(200);
  return WorkingSplit(call, args, n_args, input, sink);
}

static void Break(cf_splitter* splitter) { splitter->split = BadSplit; }
