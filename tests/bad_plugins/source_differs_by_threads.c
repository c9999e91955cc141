/* Defect: with more threads it gives other numbers. */
#include "broken_source.h"

static int BadNext(struct ArrowArrayStream* stream, struct ArrowArray* out) {
  const int code = WorkingGetNext(stream, out);
  if (out->release == NULL) return code;
  if (((WorkingStream*)stream->private_data)->call->n_threads > 1) {
    ((WorkingColumns*)out->private_data)->x[0] += 1;
  }
  return code;
}

static cf_status CF_CALL BadOpen(const cf_call* call, const cf_arg* args, size_t n_args,
                                 const cf_source_input* input, struct ArrowArrayStream* out) {
  const cf_status status = WorkingOpen(call, args, n_args, input, out);
  if (status == CF_OK) out->get_next = BadNext;
  return status;
}

static void Break(cf_source* source) { source->open = BadOpen; }
