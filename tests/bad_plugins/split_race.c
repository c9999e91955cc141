/* Defect: calls keep their folds in a static variable, although CF_MT_PREDICT is declared. They
 * yield, so that the race is lost surely. */
#include "broken_splitter.h"

#include <sched.h>

enum { kMostRows = 4096 };

static cf_status CF_CALL BadSplit(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_split_input* input, const cf_split_sink* sink) {
  static int32_t volatile shared[kMostRows];
  const int64_t n_folds = args[0].value.u.i;
  cf_status status = WorkingSplitCheck(call, input, n_folds);
  int32_t* folds;
  int64_t i;
  (void)n_args;
  if (status != CF_OK) return status;
  if (input->n_rows > kMostRows) return WorkingFail(call, CF_E_UNSUPPORTED_DATA, "too many rows");
  folds = WorkingFolds(call, input->n_rows, n_folds);
  if (folds == NULL) return WorkingFail(call, CF_E_OUT_OF_MEMORY, "no memory for the folds");
  for (i = 0; i < input->n_rows; ++i) {
    shared[i] = folds[i];
    sched_yield();
  }
  for (i = 0; i < input->n_rows; ++i) folds[i] = shared[i];
  status = sink->emit_partition(sink, folds, input->n_rows, (int32_t)n_folds);
  free(folds);
  return status;
}

static void Break(cf_splitter* splitter) { splitter->split = BadSplit; }
