/* Defect: it ends the process if the file has a code that is not a level. */
#include "broken_source.h"

static cf_status CF_CALL BadOpen(const cf_call* call, const cf_arg* args, size_t n_args,
                                 const cf_source_input* input, struct ArrowArrayStream* out) {
  const int64_t n_rows = (input->n_bytes - kHeaderBytes) / 12;
  int64_t i;
  int32_t code, told = 0;
  if (input->n_bytes > kHeaderBytes) memcpy(&told, input->head + kMagicBytes, sizeof told);
  for (i = 0; told == n_rows && input->n_head == input->n_bytes && i < n_rows; ++i) {
    memcpy(&code, input->head + kHeaderBytes + 8 * n_rows + 4 * i, sizeof code);
    if (code < 0 || code >= kLevels) abort();
  }
  return WorkingOpen(call, args, n_args, input, out);
}

static void Break(cf_source* source) { source->open = BadOpen; }
