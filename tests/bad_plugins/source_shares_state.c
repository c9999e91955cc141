/* Defect: reads of several threads count in one variable. */
#include <sched.h>

#include "broken_source.h"

static double last_number;

static int BadNext(struct ArrowArrayStream* stream, struct ArrowArray* out) {
  const int code = WorkingGetNext(stream, out);
  if (out->release == NULL) return code;
  WorkingColumns* columns = out->private_data;
  for (int32_t row = 0; row < columns->n_rows; ++row) {
    *(volatile double*)&last_number = row == 0 ? columns->x[0] : last_number + 1;
    sched_yield();
    columns->x[row] = *(volatile double*)&last_number;
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
