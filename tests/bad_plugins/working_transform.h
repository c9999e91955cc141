/* A transform with no defect: it takes the weighted mean of the training rows from every numeric
 * column and passes the others. The bad transforms start from it and break it in one place. */
#ifndef CROSSFOLD_TESTS_WORKING_TRANSFORM_H
#define CROSSFOLD_TESTS_WORKING_TRANSFORM_H

#include <math.h>
#include <stdlib.h>

#include "working_plugin.h"

/* What the transform learned: the mean of every column; of a categorical one it is not used. */
typedef struct WorkingMeans {
  int64_t n_features;
  double* means;
} WorkingMeans;

/* Row i of the view. */
static inline double WorkingNumber(const cf_table* table, const cf_column* column, int64_t i) {
  return WorkingEntry(column, table->rows == NULL ? i : table->rows[i]);
}

static inline double WorkingMean(const cf_table* table, const cf_column* column) {
  double sum = 0, total = 0;
  int64_t i;
  for (i = 0; i < table->n_rows; ++i) {
    const double x = WorkingNumber(table, column, i);
    const double weight = table->weights == NULL ? 1 : table->weights[i];
    if (isnan(x) || weight == 0) continue;
    total += weight;
    sum += (x - sum) * (weight / total);
  }
  return sum;
}

static inline void CF_CALL WorkingTransformDestroy(const cf_info* self, cf_model* model) {
  (void)self;
  WorkingMeans* learned = (WorkingMeans*)(void*)model;
  if (learned == NULL) return;
  free(learned->means);
  free(learned);
}

static inline cf_status CF_CALL WorkingTransformFit(const cf_call* call, const cf_arg* args,
                                                    size_t n_args, const cf_table* train,
                                                    cf_model** out) {
  WorkingMeans* learned;
  int64_t j;
  (void)args, (void)n_args;
  *out = NULL;
  if (train->n_rows == 0) {
    return FailBecause(call, CF_E_UNSUPPORTED_DATA, "there are no training rows");
  }
  learned = (WorkingMeans*)calloc(1, sizeof *learned);
  if (learned != NULL) {
    learned->n_features = train->n_features;
    learned->means = (double*)calloc((size_t)train->n_features + 1, sizeof(double));
  }
  if (learned == NULL || learned->means == NULL) {
    WorkingTransformDestroy(call->self, (cf_model*)(void*)learned);
    return FailBecause(call, CF_E_OUT_OF_MEMORY, "no memory for the means");
  }
  for (j = 0; j < train->n_features; ++j) {
    if (train->features[j].dtype == CF_CAT32) continue;
    learned->means[j] = WorkingMean(train, &train->features[j]);
  }
  *out = (cf_model*)(void*)learned;
  return CF_OK;
}

/* Emits column j less `mean`. */
static inline cf_status WorkingEmit(const cf_call* call, const cf_table* rows, int64_t j,
                                    double mean, const cf_column_sink* out) {
  const cf_column* column = &rows->features[j];
  double* made;
  int64_t i;
  if (column->dtype == CF_CAT32) return out->pass_column(out, j);
  made = (double*)out->add_column(out, column->name, CF_F64, NULL, 0, 0, NULL);
  if (made == NULL) {
    return FailBecause(call, CF_E_OUT_OF_MEMORY, "no memory for a column");
  }
  for (i = 0; i < rows->n_rows; ++i) {
    const double x = WorkingNumber(rows, column, i);
    made[i] = x - mean;
    if (isnan(x) || isfinite(made[i])) continue;
    return FailBecause(call, CF_E_NUMERIC, "the numbers are too large for a mean");
  }
  return CF_OK;
}

static inline cf_status CF_CALL WorkingTransformApply(const cf_call* call, const cf_model* model,
                                                      const cf_table* rows,
                                                      const cf_column_sink* out) {
  const WorkingMeans* learned = (const WorkingMeans*)(const void*)model;
  int64_t j;
  if (rows->n_features != learned->n_features) {
    return FailBecause(call, CF_E_INVALID_ARGUMENT, "other columns than in training");
  }
  for (j = 0; j < rows->n_features; ++j) {
    const cf_status status = WorkingEmit(call, rows, j, learned->means[j], out);
    if (status != CF_OK) return status;
  }
  return CF_OK;
}

static inline void FillTransform(cf_transform* transform, const char* id) {
  transform->struct_size = sizeof(cf_transform);
  transform->info.id = id;
  transform->info.version = "1.0.0";
  transform->info.title = "Centring";
  transform->info.doc = "Takes the mean of the training rows away.";
  transform->info.threading = CF_MT_PREDICT;
  transform->info.determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED;
  transform->tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS | CF_TASK_REGRESSION;
  transform->accepts =
      CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL | CF_ACCEPTS_MISSING | CF_ACCEPTS_WEIGHTS;
  transform->fit = WorkingTransformFit;
  transform->apply = WorkingTransformApply;
  transform->destroy = WorkingTransformDestroy;
}

#endif
