/* Defect: a file that is not there is reported as bad data. */
#include "broken_source.h"

static cf_status CF_CALL BadOpen(const cf_call* call, const cf_arg* args, size_t n_args,
                                 const cf_source_input* input, struct ArrowArrayStream* out) {
  FILE* file = fopen(input->location, "rb");
  if (file == NULL) return WorkingFail(call, CF_E_UNSUPPORTED_DATA, "it cannot be opened");
  fclose(file);
  return WorkingOpen(call, args, n_args, input, out);
}

static void Break(cf_source* source) { source->open = BadOpen; }
