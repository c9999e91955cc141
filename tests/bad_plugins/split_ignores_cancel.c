/* Defect: it goes on when the host has said stop. */
#include "broken_splitter.h"

static cf_status CF_CALL BadSplit(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_split_input* input, const cf_split_sink* sink) {
  (void)call->host->progress(call, 0);
  return WorkingSplit(call, args, n_args, input, sink);
}

static void Break(cf_splitter* splitter) { splitter->split = BadSplit; }
