/* Defect: training rows lie before test rows in the file, not in time. */
#include "broken_splitter.h"

static cf_status CF_CALL BadSplit(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_split_input* input, const cf_split_sink* sink) {
  int64_t* order = (int64_t*)malloc(((size_t)input->n_rows + 1) * sizeof(int64_t));
  const int64_t n_folds = args[0].value.u.i, size = input->n_rows / (n_folds + 1);
  int64_t i, fold;
  cf_status status = WorkingSplitCheck(call, input, n_folds + 1);
  (void)n_args;
  if (order == NULL) return WorkingFail(call, CF_E_OUT_OF_MEMORY, "no memory for the order");
  for (i = 0; i < input->n_rows; ++i) order[i] = i;
  for (fold = 1; status == CF_OK && fold <= n_folds; ++fold) {
    status = sink->emit_split(sink, order, fold * size, order + fold * size, size);
  }
  free(order);
  return status;
}

static void Break(cf_splitter* splitter) {
  splitter->uses = CF_SPLIT_USES_TIME;
  splitter->info.determinism |= CF_DET_UNSEEDED;
  splitter->split = BadSplit;
}
