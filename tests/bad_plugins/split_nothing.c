/* Defect: no rows are split successfully. */
#include "broken_splitter.h"

static cf_status CF_CALL BadSplit(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_split_input* input, const cf_split_sink* sink) {
  if (input->n_rows == 0) return CF_OK;
  return WorkingSplit(call, args, n_args, input, sink);
}

static void Break(cf_splitter* splitter) { splitter->split = BadSplit; }
