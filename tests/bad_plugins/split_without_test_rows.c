/* Defect: the last split tests no row. */
#include "broken_splitter.h"

static cf_status CF_CALL BadSplit(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_split_input* input, const cf_split_sink* sink) {
  const int64_t n_folds = args[0].value.u.i;
  cf_status status = WorkingSplitCheck(call, input, n_folds);
  int64_t *order, fold;
  (void)n_args;
  if (status != CF_OK) return status;
  order = (int64_t*)malloc(((size_t)input->n_rows + 1) * sizeof(int64_t));
  if (order == NULL) return WorkingFail(call, CF_E_OUT_OF_MEMORY, "no memory for the order");
  WorkingShuffle(call, order, input->n_rows);
  for (fold = 0; status == CF_OK && fold < n_folds; ++fold) {
    const int64_t n_test = input->n_rows / n_folds;
    const int64_t n = fold + 1 < n_folds ? n_test : 0;
    status = sink->emit_split(sink, order + n, input->n_rows - n, order, n);
  }
  free(order);
  return status;
}

static void Break(cf_splitter* splitter) { splitter->split = BadSplit; }
