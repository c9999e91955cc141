/* Defect: groups are accepted, and torn apart. */
#include "broken_splitter.h"

static cf_status CF_CALL BadSplit(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_split_input* input, const cf_split_sink* sink) {
  cf_split_input changed = *input;
  changed.groups = NULL;
  return WorkingSplit(call, args, n_args, &changed, sink);
}

static void Break(cf_splitter* splitter) {
  splitter->uses = CF_SPLIT_USES_GROUPS;
  splitter->split = BadSplit;
}
