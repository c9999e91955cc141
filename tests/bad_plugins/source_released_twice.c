/* Defect: after its release the stream does not say that it was released. */
#include "broken_source.h"

static void BadRelease(struct ArrowArrayStream* stream) {
  WorkingReleaseStream(stream);
  stream->release = BadRelease;
}

static cf_status CF_CALL BadOpen(const cf_call* call, const cf_arg* args, size_t n_args,
                                 const cf_source_input* input, struct ArrowArrayStream* out) {
  const cf_status status = WorkingOpen(call, args, n_args, input, out);
  if (status == CF_OK) out->release = BadRelease;
  return status;
}

static void Break(cf_source* source) { source->open = BadOpen; }
