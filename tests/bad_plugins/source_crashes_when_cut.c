/* Defect: it ends the process if the file ends too early. */
#include "broken_source.h"

static cf_status CF_CALL BadOpen(const cf_call* call, const cf_arg* args, size_t n_args,
                                 const cf_source_input* input, struct ArrowArrayStream* out) {
  if (input->n_bytes >= kHeaderBytes && memcmp(input->head, "NUMBERS1", kMagicBytes) == 0) {
    int32_t n_rows;
    memcpy(&n_rows, input->head + kMagicBytes, sizeof n_rows);
    if (n_rows > 0 && input->n_bytes < kHeaderBytes + 12 * (int64_t)n_rows) abort();
  }
  return WorkingOpen(call, args, n_args, input, out);
}

static void Break(cf_source* source) { source->open = BadOpen; }
