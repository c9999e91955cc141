/* Defect: rows of weight 0 get a fold that there is not. */
#include "broken_splitter.h"

static cf_status CF_CALL BadSplit(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_split_input* input, const cf_split_sink* sink) {
  const int64_t n_folds = args[0].value.u.i;
  cf_status status = WorkingSplitCheck(call, input, n_folds);
  int32_t* folds;
  int64_t i;
  (void)n_args;
  if (status != CF_OK) return status;
  folds = WorkingFolds(call, input->n_rows, n_folds);
  if (folds == NULL) return WorkingFail(call, CF_E_OUT_OF_MEMORY, "no memory for the folds");
  for (i = 0; input->weights != NULL && i < input->n_rows; ++i) {
    if (input->weights[i] == 0) folds[i] = (int32_t)n_folds;
  }
  status = sink->emit_partition(sink, folds, input->n_rows, (int32_t)n_folds);
  free(folds);
  return status;
}

static void Break(cf_splitter* splitter) { splitter->split = BadSplit; }
