/* Defect: it goes on when the host has said stop. */
#include "broken_source.h"

static __thread const cf_host* shown;

static int32_t CF_CALL BadProgress(const cf_call* call, double done) {
  (void)shown->progress(call, done);
  return 0;
}

static cf_status CF_CALL BadOpen(const cf_call* call, const cf_arg* args, size_t n_args,
                                 const cf_source_input* input, struct ArrowArrayStream* out) {
  cf_host host = *call->host;
  cf_call deaf = *call;
  cf_status status;
  shown = call->host;
  host.progress = BadProgress;
  deaf.host = &host;
  status = WorkingOpen(&deaf, args, n_args, input, out);
  if (status == CF_OK) ((WorkingStream*)out->private_data)->call = call;
  return status;
}

static void Break(cf_source* source) { source->open = BadOpen; }
