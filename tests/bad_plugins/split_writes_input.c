/* Defect: it writes into the weights, groups or labels that it was lent, here labels of 0. */
#include "broken_splitter.h"

static cf_status CF_CALL BadSplit(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_split_input* input, const cf_split_sink* sink) {
  volatile int32_t* labels = (volatile int32_t*)(uintptr_t)input->labels;
  int64_t i;
  for (i = 0; labels != NULL && i < input->n_rows; ++i) labels[i] = labels[i];
  return WorkingSplit(call, args, n_args, input, sink);
}

static void Break(cf_splitter* splitter) { splitter->split = BadSplit; }
