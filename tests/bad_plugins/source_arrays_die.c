/* Defect: the release of the stream clears what its array shows. */
#include "broken_source.h"

typedef struct BadStream {
  struct ArrowArrayStream working;
  double* x; /* that was given; stays allocated as long as the array */
  int32_t n_rows;
} BadStream;

static int BadNext(struct ArrowArrayStream* stream, struct ArrowArray* out) {
  BadStream* bad = (BadStream*)stream->private_data;
  const int code = WorkingGetNext(&bad->working, out);
  if (out->release == NULL) return code;
  bad->x = ((WorkingColumns*)out->private_data)->x;
  bad->n_rows = (int32_t)out->length;
  return code;
}

static void BadRelease(struct ArrowArrayStream* stream) {
  BadStream* bad = (BadStream*)stream->private_data;
  int32_t i;
  if (bad->x != NULL) {
    for (i = 0; i < bad->n_rows; ++i) bad->x[i] = 0;
  }
  bad->working.release(&bad->working);
  free(bad);
  stream->release = NULL;
}

static cf_status CF_CALL BadOpen(const cf_call* call, const cf_arg* args, size_t n_args,
                                 const cf_source_input* input, struct ArrowArrayStream* out) {
  const cf_status status = WorkingOpen(call, args, n_args, input, out);
  BadStream* bad;
  if (status != CF_OK) return status;
  bad = (BadStream*)calloc(1, sizeof *bad);
  if (bad == NULL) abort();
  bad->working = *out;
  out->get_next = BadNext;
  out->release = BadRelease;
  out->private_data = bad;
  return status;
}

static void Break(cf_source* source) { source->open = BadOpen; }
