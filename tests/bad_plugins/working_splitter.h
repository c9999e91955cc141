/* A splitter with no defect: every row gets a fold at random, the folds are of equal size. It
 * refuses groups, which it would tear apart. The bad splitters start from it and break it in one
 * place. */
#ifndef CROSSFOLD_TESTS_WORKING_SPLITTER_H
#define CROSSFOLD_TESTS_WORKING_SPLITTER_H

#include <stdlib.h>

#include "working_plugin.h"

/* Shuffles 0 .. n-1 into `order`. */
static inline void WorkingShuffle(const cf_call* call, int64_t* order, int64_t n) {
  int64_t i;
  for (i = 0; i < n; ++i) order[i] = i;
  for (i = n - 1; i > 0; --i) {
    uint64_t number;
    int64_t j, kept = order[i];
    call->host->random_u64(call, &number, 1);
    j = (int64_t)(number % (uint64_t)(i + 1));
    order[i] = order[j];
    order[j] = kept;
  }
}

/* A fold for every row, the caller frees it; NULL = no memory. */
static inline int32_t* WorkingFolds(const cf_call* call, int64_t n_rows, int64_t n_folds) {
  int64_t* order = (int64_t*)malloc((size_t)n_rows * sizeof(int64_t) + 1);
  int32_t* folds = (int32_t*)malloc((size_t)n_rows * sizeof(int32_t) + 1);
  int64_t i;
  if (order == NULL || folds == NULL) {
    free(order);
    free(folds);
    return NULL;
  }
  WorkingShuffle(call, order, n_rows);
  for (i = 0; i < n_rows; ++i) folds[order[i]] = (int32_t)(i % n_folds);
  free(order);
  return folds;
}

/* CF_OK if the rows can be split into so many folds. */
static inline cf_status WorkingSplitCheck(const cf_call* call, const cf_split_input* input,
                                          int64_t n_folds) {
  if (input->groups != NULL) {
    return FailBecause(call, CF_E_UNSUPPORTED_DATA, "it does not keep groups together");
  }
  if (n_folds > input->n_rows) {
    return FailBecause(call, CF_E_INVALID_PARAM, "there are more folds than rows");
  }
  return CF_OK;
}

static inline cf_status CF_CALL WorkingSplit(const cf_call* call, const cf_arg* args, size_t n_args,
                                             const cf_split_input* input,
                                             const cf_split_sink* sink) {
  const int64_t n_folds = args[0].value.u.i;
  cf_status status = WorkingSplitCheck(call, input, n_folds);
  int32_t* folds;
  (void)n_args;
  if (status != CF_OK) return status;
  folds = WorkingFolds(call, input->n_rows, n_folds);
  if (folds == NULL) return FailBecause(call, CF_E_OUT_OF_MEMORY, "no memory for the folds");
  status = sink->emit_partition(sink, folds, input->n_rows, (int32_t)n_folds);
  free(folds);
  return status;
}

/* Declares one parameter, folds = 3. */
static inline void FillSplitter(cf_splitter* splitter, const char* id) {
  static cf_param folds;
  static const cf_param* const params[] = {&folds};
  folds.struct_size = sizeof(cf_param);
  folds.name = "folds";
  folds.doc = "How many folds.";
  folds.type = folds.def.type = CF_P_INT;
  folds.def.u.i = 3;
  folds.ilo = 2;
  folds.ihi = 1000000;
  splitter->struct_size = sizeof(cf_splitter);
  splitter->info.id = id;
  splitter->info.version = "1.0.0";
  splitter->info.title = "Random folds";
  splitter->info.doc = "Every row gets a fold at random.";
  splitter->info.threading = CF_MT_PREDICT;
  splitter->info.determinism = CF_DET_SEEDED | CF_DET_THREADS;
  splitter->info.params = params;
  splitter->info.n_params = 1;
  splitter->split = WorkingSplit;
}

#endif
