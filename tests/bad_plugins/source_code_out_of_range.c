/* Defect: a category has a code that is not a level. */
#include "broken_source.h"

static int BadNext(struct ArrowArrayStream* stream, struct ArrowArray* out) {
  const int code = WorkingGetNext(stream, out);
  if (out->release == NULL) return code;
  ((WorkingColumns*)out->private_data)->codes[0] = 7;
  return code;
}

static cf_status CF_CALL BadOpen(const cf_call* call, const cf_arg* args, size_t n_args,
                                 const cf_source_input* input, struct ArrowArrayStream* out) {
  const cf_status status = WorkingOpen(call, args, n_args, input, out);
  if (status == CF_OK) out->get_next = BadNext;
  return status;
}

static void Break(cf_source* source) { source->open = BadOpen; }
