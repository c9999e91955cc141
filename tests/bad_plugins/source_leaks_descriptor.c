/* Defect: it leaves the file open. */
#include <fcntl.h>

#include "broken_source.h"

static cf_status CF_CALL BadOpen(const cf_call* call, const cf_arg* args, size_t n_args,
                                 const cf_source_input* input, struct ArrowArrayStream* out) {
  static int left; /* enough to be seen, too few to run out of them */
  if (left < 50 && open(input->location, O_RDONLY) >= 0) ++left;
  return WorkingOpen(call, args, n_args, input, out);
}

static void Break(cf_source* source) { source->open = BadOpen; }
