/* The capabilities of the smoother that fit and predict. */
#ifndef CROSSFOLD_TESTS_SMOOTHER_CAPABILITIES_H
#define CROSSFOLD_TESTS_SMOOTHER_CAPABILITIES_H

#include "smoother_model.h"

/* ---- fit and predict ------------------------------------------------------------------------- */

static inline cf_status RefuseWidth(const cf_call* call, int64_t n_features) {
  if (n_features <= PartsOf(call->self)->most_features) return CF_OK;
  return FailBecause(call, CF_E_UNSUPPORTED_DATA, "it takes one feature only");
}

static inline cf_status FitOn(const cf_call* call, const cf_arg* args, const cf_table* train,
                              const double* matrix, cf_model** out) {
  Smoother* s = NULL;
  cf_status status;
  *out = NULL;
  if (train->n_rows < 1) return FailBecause(call, CF_E_UNSUPPORTED_DATA, "there are no rows");
  status = RefuseWidth(call, train->n_features);
  if (status != CF_OK) return status;
  status = MakeSmoother(call, args, train, matrix, &s);
  if (status != CF_OK) return FailBecause(call, status, Reason(status));
  *out = (cf_model*)s;
  return CF_OK;
}

static inline cf_status CF_CALL SmootherFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                            const cf_table* train, cf_model** out) {
  (void)n_args;
  return FitOn(call, args, train, NULL, out);
}

static inline cf_status CF_CALL SmootherPredict(const cf_call* call, const cf_model* model,
                                                const cf_table* rows, cf_prediction* out) {
  const Smoother* s = (const Smoother*)model;
  return Ask(call, s, s->width, rows, out);
}

static inline void CF_CALL SmootherDestroy(const cf_info* self, cf_model* model) {
  (void)self;
  FreeSmoother((Smoother*)model);
}

/* ---- prepare --------------------------------------------------------------------------------- */

/* After it come the entries of every row of the buffers. */
typedef struct Matrix {
  int64_t n_rows, n_features;
} Matrix;

static inline cf_status CF_CALL SmootherPrepare(const cf_call* call, const cf_arg* args,
                                                size_t n_args, const cf_table* all,
                                                cf_prepared** out) {
  const size_t n = (size_t)(all->n_rows_total * all->n_features);
  Matrix* matrix = (Matrix*)malloc(sizeof(Matrix) + n * sizeof(double));
  cf_table every = *all;
  int64_t i;
  (void)args, (void)n_args;
  *out = NULL;
  if (matrix == NULL) return FailBecause(call, CF_E_OUT_OF_MEMORY, "out of memory");
  matrix->n_rows = all->n_rows_total;
  matrix->n_features = all->n_features;
  every.rows = NULL;
  for (i = 0; i < matrix->n_rows; ++i) {
    ReadEntries(&every, i, (double*)(matrix + 1) + i * matrix->n_features);
  }
  *out = (cf_prepared*)matrix;
  return CF_OK;
}

static inline cf_status CF_CALL SmootherFitPrepared(const cf_call* call, const cf_arg* args,
                                                    size_t n_args, const cf_prepared* prepared,
                                                    const cf_table* train, cf_model** out) {
  (void)n_args;
  return FitOn(call, args, train, (const double*)((const Matrix*)prepared + 1), out);
}

static inline void CF_CALL SmootherDestroyPrepared(const cf_info* self, cf_prepared* prepared) {
  (void)self;
  free(prepared);
}

static inline uint64_t CF_CALL SmootherPreparedBytes(const cf_info* self,
                                                     const cf_prepared* prepared) {
  (void)self;
  const Matrix* matrix = (const Matrix*)prepared;
  return sizeof(Matrix) + (uint64_t)(matrix->n_rows * matrix->n_features) * sizeof(double);
}

/* ---- fit-path -------------------------------------------------------------------------------- */

static inline cf_status PathOn(const cf_call* call, const cf_arg* args, const char* param,
                               const cf_value* values, size_t n_values, const double* matrix,
                               const cf_table* train, cf_model** out) {
  Smoother* s;
  size_t i;
  cf_status status;
  *out = NULL;
  if (strcmp(param, "width") != 0) {
    return FailBecause(call, CF_E_INVALID_ARGUMENT, "only width has a path");
  }
  status = FitOn(call, args, train, matrix, out);
  if (status != CF_OK) return status;
  s = (Smoother*)*out;
  s->widths = (double*)malloc((n_values + 1) * sizeof(double));
  if (s->widths == NULL) {
    FreeSmoother(s);
    *out = NULL;
    return FailBecause(call, CF_E_OUT_OF_MEMORY, "out of memory");
  }
  s->n_widths = (int64_t)n_values;
  for (i = 0; i < n_values; ++i) s->widths[i] = values[i].u.r;
  return CF_OK;
}

static inline cf_status CF_CALL SmootherFitPath(const cf_call* call, const cf_arg* args,
                                                size_t n_args, const char* param,
                                                const cf_value* values, size_t n_values,
                                                const cf_table* train, cf_model** out) {
  (void)n_args;
  return PathOn(call, args, param, values, n_values, NULL, train, out);
}

static inline cf_status CF_CALL SmootherFitPathPrepared(const cf_call* call, const cf_arg* args,
                                                        size_t n_args, const char* param,
                                                        const cf_value* values, size_t n_values,
                                                        const cf_prepared* prepared,
                                                        const cf_table* train, cf_model** out) {
  (void)n_args;
  return PathOn(call, args, param, values, n_values, (const double*)((const Matrix*)prepared + 1),
                train, out);
}

static inline cf_status CF_CALL SmootherPredictAt(const cf_call* call, const cf_model* model,
                                                  size_t value, const cf_table* rows,
                                                  cf_prediction* out) {
  const Smoother* s = (const Smoother*)model;
  if ((int64_t)value >= s->n_widths) {
    return FailBecause(call, CF_E_INVALID_ARGUMENT, "the path has no such value");
  }
  return Ask(call, s, s->widths[value], rows, out);
}

/* ---- incremental ----------------------------------------------------------------------------- */

static inline void* CopyOf(const void* from, int64_t n, size_t size) {
  void* copy = malloc((size_t)n * size + 1);
  if (copy != NULL && n > 0) memcpy(copy, from, (size_t)n * size);
  return copy;
}

static inline cf_status CF_CALL SmootherClone(const cf_call* call, const cf_model* model,
                                              cf_model** out) {
  const Smoother* s = (const Smoother*)model;
  Smoother* copy = (Smoother*)CopyOf(s, 1, sizeof(Smoother));
  *out = NULL;
  if (copy != NULL) {
    copy->widths = (double*)CopyOf(s->widths, s->n_widths, sizeof(double));
    copy->is_category = (int64_t*)CopyOf(s->is_category, s->n_features, sizeof(int64_t));
    copy->rows = (double*)CopyOf(s->rows, s->n_rows * RecordSize(s->n_features), sizeof(double));
    if (copy->widths != NULL && copy->is_category != NULL && copy->rows != NULL) {
      *out = (cf_model*)copy;
      return CF_OK;
    }
    FreeSmoother(copy);
  }
  return FailBecause(call, CF_E_OUT_OF_MEMORY, "out of memory");
}

static inline cf_status CF_CALL SmootherAddRows(const cf_call* call, cf_model* model,
                                                const cf_table* rows) {
  const cf_status status = ReadRows(call, rows, NULL, (Smoother*)model);
  if (status != CF_OK) return FailBecause(call, status, Reason(status));
  SortRows((Smoother*)model);
  return CF_OK;
}

static inline cf_status CF_CALL SmootherRemoveRows(const cf_call* call, cf_model* model,
                                                   const cf_table* rows) {
  Smoother *s = (Smoother*)model, gone;
  const int64_t size = RecordSize(s->n_features);
  int64_t i, next = 0, kept = 0;
  cf_status status;
  memset(&gone, 0, sizeof(gone));
  gone.n_features = s->n_features;
  status = ReadRows(call, rows, NULL, &gone);
  if (status != CF_OK) {
    free(gone.rows);
    return FailBecause(call, status, Reason(status));
  }
  SortRows(&gone);
  for (i = 0; i < s->n_rows; ++i) { /* both are in ascending order */
    double* record = RecordAt(s, i);
    if (next < gone.n_rows && CompareRecords(record, RecordAt(&gone, next)) == 0) {
      ++next;
    } else {
      memmove(RecordAt(s, kept++), record, (size_t)size * sizeof(double));
    }
  }
  s->n_rows = kept;
  free(gone.rows);
  return next == gone.n_rows ? CF_OK
                             : FailBecause(call, CF_E_INVALID_ARGUMENT, "it has no such rows");
}

/* ---- cross-predict --------------------------------------------------------------------------- */

/* The rows of `table` in fold `fold`, or all others. Arrays come from scratch memory; false = there
 * is none. */
static inline int TakeRows(const cf_call* call, const cf_table* table, const int32_t* fold_of_row,
                           int32_t fold, int inside, cf_table* out, int64_t** positions) {
  const size_t n = (size_t)table->n_rows + 1;
  int64_t* rows = (int64_t*)call->host->scratch(call, n * sizeof(int64_t), 8);
  double* weights = (double*)call->host->scratch(call, n * sizeof(double), 8);
  int64_t i;
  *positions = (int64_t*)call->host->scratch(call, n * sizeof(int64_t), 8);
  if (rows == NULL || weights == NULL || *positions == NULL) return 0;
  *out = *table;
  out->n_rows = 0;
  for (i = 0; i < table->n_rows; ++i) {
    if ((fold_of_row[i] == fold) != inside) continue;
    (*positions)[out->n_rows] = i;
    rows[out->n_rows] = RowOf(table, i);
    weights[out->n_rows++] = table->weights == NULL ? 1 : table->weights[i];
  }
  out->rows = rows;
  out->weights = weights;
  out->groups = out->row_ids = NULL;
  if (inside) out->target = NULL;
  return 1;
}

static inline cf_status PredictFold(const cf_call* call, const cf_setting* setting, size_t number,
                                    const cf_table* train, const cf_table* test,
                                    const int64_t* positions, int32_t fold,
                                    const cf_cross_sink* sink) {
  const int64_t n_classes = train->target->dtype == CF_CAT32 ? train->target->n_levels : 0;
  cf_prediction out;
  cf_prediction_view given = {sizeof(cf_prediction_view), 0, 0, 0, NULL, NULL, NULL};
  double* numbers;
  Smoother* s = NULL;
  cf_status status = MakeSmoother(call, setting->args, train, NULL, &s);
  if (status == CF_E_UNSUPPORTED_DATA) {
    sink->fail(sink, number, fold, status, Reason(status));
    return CF_OK;
  }
  if (status != CF_OK) return FailBecause(call, status, Reason(status));
  memset(&out, 0, sizeof(out));
  out.struct_size = sizeof(out);
  out.n_rows = test->n_rows;
  out.n_classes = n_classes;
  numbers = (double*)call->host->scratch(
      call, (size_t)(test->n_rows * (n_classes + 2) + 1) * sizeof(double), sizeof(double));
  if (numbers == NULL) {
    FreeSmoother(s);
    return FailBecause(call, CF_E_OUT_OF_MEMORY, "out of memory");
  }
  if ((sink->wanted & CF_NEEDS_PROBABILITIES) != 0) out.probabilities = numbers;
  numbers += test->n_rows * n_classes;
  if ((sink->wanted & CF_NEEDS_VALUES) != 0) out.values = numbers;
  numbers += test->n_rows;
  if ((sink->wanted & CF_NEEDS_LABELS) != 0) out.labels = (int32_t*)numbers;
  status = Ask(call, s, s->width, test, &out);
  FreeSmoother(s);
  if (status != CF_OK) return status;
  given.n_rows = out.n_rows;
  given.n_classes = out.n_classes;
  given.labels = out.labels;
  given.values = out.values;
  given.probabilities = out.probabilities;
  return sink->emit(sink, number, positions, test->n_rows, &given);
}

static inline cf_status CF_CALL SmootherCrossPredict(const cf_call* call,
                                                     const cf_setting* settings, size_t n_settings,
                                                     const cf_table* table,
                                                     const int32_t* fold_of_row, int32_t n_folds,
                                                     const cf_prepared* prepared,
                                                     const cf_cross_sink* sink) {
  const cf_status refused = RefuseWidth(call, table->n_features);
  int32_t fold;
  size_t i;
  (void)prepared;
  if (refused != CF_OK) return refused;
  for (fold = 0; fold < n_folds; ++fold) {
    cf_table train, test;
    int64_t *trained, *tested;
    if (!TakeRows(call, table, fold_of_row, fold, 0, &train, &trained) ||
        !TakeRows(call, table, fold_of_row, fold, 1, &test, &tested)) {
      return FailBecause(call, CF_E_OUT_OF_MEMORY, "out of memory");
    }
    for (i = 0; i < n_settings; ++i) {
      const cf_status status =
          PredictFold(call, &settings[i], i, &train, &test, tested, fold, sink);
      if (status != CF_OK) return status;
    }
  }
  return CF_OK;
}

#endif
