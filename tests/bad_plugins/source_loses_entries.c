/* Defect: of a column whose type was asked for, entries go without an error. */
#include "broken_source.h"

#include <math.h>

static cf_status CF_CALL BadOpen(const cf_call* call, const cf_arg* args, size_t n_args,
                                 const cf_source_input* input, struct ArrowArrayStream* out) {
  const cf_status status = WorkingOpen(call, args, n_args, input, out);
  size_t i;
  for (i = 0; status == CF_OK && i < input->n_hints; ++i) {
    const cf_column_hint* hint = input->hints[i];
    if (strcmp(hint->name, "x") == 0 && (hint->flags & CF_HINT_FIRM) != 0) {
      WorkingColumns* columns = ((WorkingStream*)out->private_data)->columns;
      if (columns->n_rows > 0) columns->x[0] = NAN;
    }
  }
  return status;
}

static void Break(cf_source* source) { source->open = BadOpen; }
