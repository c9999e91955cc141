/* Defect: after a read, a handler of exit() works on memory that is gone. */
#include "broken_source.h"

static void Abort(void) { abort(); }

static cf_status CF_CALL BadOpen(const cf_call* call, const cf_arg* args, size_t n_args,
                                 const cf_source_input* input, struct ArrowArrayStream* out) {
  static int is_set;
  if (!is_set) is_set = atexit(&Abort) == 0;
  return WorkingOpen(call, args, n_args, input, out);
}

static void Break(cf_source* source) { source->open = BadOpen; }
