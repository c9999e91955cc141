/* Defect: fewer folds than asked for are made where there are fewer rows. */
#include "broken_splitter.h"

static cf_status CF_CALL BadSplit(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_split_input* input, const cf_split_sink* sink) {
  cf_arg changed = args[0];
  if (changed.value.u.i > input->n_rows && input->n_rows > 1) changed.value.u.i = input->n_rows;
  return WorkingSplit(call, &changed, n_args, input, sink);
}

static void Break(cf_splitter* splitter) { splitter->split = BadSplit; }
