/* What the smoother knows and does: it predicts the mean of the training rows,
 * weighted by how near they are. Every result follows from the set of the training rows alone: they
 * are kept in ascending order, so that sums do not depend on the order in which they came. */
#ifndef CROSSFOLD_TESTS_SMOOTHER_MODEL_H
#define CROSSFOLD_TESTS_SMOOTHER_MODEL_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "smoother.h"

enum { kShapeTails = 0, kShapeBox = 1 };

struct Smoother {
  int64_t n_rows, n_features, n_classes; /* 0 classes = regression */
  int64_t shape, power;
  double width;
  int64_t n_widths; /* of a path; 0 = none */
  double* widths;
  int64_t* is_category; /* of each feature */
  double* rows;         /* n_rows records, ascending */
};

/* A record is n_features + 3 numbers: how many numbers it has, the entries (NaN = missing), the
 * target, the weight. */
static inline int64_t RecordSize(int64_t n_features) { return n_features + 3; }
static inline double* RecordAt(const Smoother* s, int64_t i) {
  return s->rows + i * RecordSize(s->n_features);
}
static inline double* EntriesOf(double* record) { return record + 1; }
static inline double TargetOf(const Smoother* s, int64_t i) {
  return RecordAt(s, i)[1 + s->n_features];
}
static inline double WeightOf(const Smoother* s, int64_t i) {
  return RecordAt(s, i)[2 + s->n_features];
}

static inline int CompareRecords(const void* left, const void* right) {
  const double *a = (const double*)left, *b = (const double*)right;
  int64_t j, n = (int64_t)a[0];
  for (j = 1; j < n; ++j) {
    if (isnan(a[j]) || isnan(b[j])) {
      if (isnan(a[j]) != isnan(b[j])) return isnan(a[j]) ? 1 : -1;
    } else if (a[j] != b[j]) {
      return a[j] < b[j] ? -1 : 1;
    }
  }
  return 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The entry as a number; NaN = missing or not finite. */
static inline double ReadEntry(const cf_column* column, int64_t row) {
  const double entry = WorkingEntry(column, row);
  return isfinite(entry) ? entry + 0.0 : NAN; /* -0 and 0 are one number */
}

static inline int64_t RowOf(const cf_table* table, int64_t i) {
  return table->rows == NULL ? i : table->rows[i];
}

/* Reads the entries of one row. */
static inline void ReadEntries(const cf_table* table, int64_t i, double* entries) {
  int64_t j;
  for (j = 0; j < table->n_features; ++j) {
    entries[j] = ReadEntry(&table->features[j], RowOf(table, i));
  }
}

static inline void FreeSmoother(Smoother* s) {
  if (s == NULL) return;
  free(s->widths);
  free(s->is_category);
  free(s->rows);
  free(s);
}

static inline void SortRows(Smoother* s) {
  const size_t size = (size_t)RecordSize(s->n_features) * sizeof(double);
  qsort(s->rows, (size_t)s->n_rows, size, &CompareRecords);
}

/* Appends the rows of the table that count: of positive weight and with a target. `matrix` has the
 * entries of every row of the buffers, or is NULL. */
static inline cf_status ReadRows(const cf_call* call, const cf_table* table, const double* matrix,
                                 Smoother* s) {
  const int64_t size = RecordSize(table->n_features), before = s->n_rows;
  const size_t n_bytes = (size_t)((before + table->n_rows) * size) * sizeof(double);
  double* rows = (double*)realloc(s->rows, n_bytes > 0 ? n_bytes : 1);
  int64_t i;
  if (rows == NULL) return CF_E_OUT_OF_MEMORY;
  s->rows = rows;
  for (i = 0; i < table->n_rows; ++i) {
    double* record = rows + s->n_rows * size;
    const double weight = table->weights == NULL ? 1 : table->weights[i];
    const double target = ReadEntry(table->target, RowOf(table, i));
    if (call->host->progress(call, (double)i / (double)table->n_rows) != 0) {
      s->n_rows = before;
      return CF_E_CANCELLED;
    }
    if (!(weight > 0) || isnan(target)) continue;
    record[0] = (double)size;
    if (matrix == NULL) {
      ReadEntries(table, i, EntriesOf(record));
    } else if (table->n_features > 0) {
      memcpy(EntriesOf(record), matrix + RowOf(table, i) * table->n_features,
             (size_t)table->n_features * sizeof(double));
    }
    record[size - 2] = target;
    record[size - 1] = weight;
    ++s->n_rows;
  }
  return CF_OK;
}

/* Why a model of the table fails; NULL for others than the usual reasons. */
static inline const char* Reason(cf_status status) {
  if (status == CF_E_OUT_OF_MEMORY) return "out of memory";
  if (status == CF_E_CANCELLED) return "cancelled";
  return "no training row has a weight above 0";
}

static inline cf_status MakeSmoother(const cf_call* call, const cf_arg* args, const cf_table* train,
                                     const double* matrix, Smoother** out) {
  Smoother* s = (Smoother*)calloc(1, sizeof(Smoother));
  cf_status status = CF_E_OUT_OF_MEMORY;
  int64_t j;
  *out = NULL;
  if (s == NULL) return status;
  s->width = args[0].value.u.r;
  s->shape = args[1].value.u.i;
  s->power = args[2].value.u.i;
  s->n_features = train->n_features;
  s->n_classes = train->target->dtype == CF_CAT32 ? train->target->n_levels : 0;
  s->is_category = (int64_t*)calloc((size_t)s->n_features + 1, sizeof(int64_t));
  if (s->is_category != NULL) {
    for (j = 0; j < s->n_features; ++j) s->is_category[j] = train->features[j].dtype == CF_CAT32;
    status = ReadRows(call, train, matrix, s);
    if (status == CF_OK && s->n_rows == 0) status = CF_E_UNSUPPORTED_DATA;
    if (status == CF_OK) SortRows(s);
  }
  if (status == CF_OK) {
    *out = s;
  } else {
    FreeSmoother(s);
  }
  return status;
}

/* ---- predicting ------------------------------------------------------------------------------ */

static inline double SquaredDistance(const Smoother* s, const double* a, const double* b) {
  double sum = 0;
  int64_t j;
  for (j = 0; j < s->n_features; ++j) {
    if (isnan(a[j]) || isnan(b[j])) {
      sum += 1;
    } else if (s->is_category[j]) {
      sum += a[j] == b[j] ? 0 : 1;
    } else {
      sum += (a[j] - b[j]) * (a[j] - b[j]);
    }
  }
  return sum;
}

static inline double Nearness(const Smoother* s, double squared_distance, double width) {
  const double q = squared_distance / (width * width);
  double nearness = 1;
  int64_t i;
  if (s->shape == kShapeBox) return q < 1 ? 1 : 0;
  for (i = 0; i < s->power; ++i) nearness /= 1 + q;
  return nearness;
}

/* How much every training row has to say about these entries; sums to 1. */
static inline void FindShares(const Smoother* s, const double* entries, double width,
                              double* shares) {
  double sum = 0;
  int64_t i;
  for (i = 0; i < s->n_rows; ++i) {
    shares[i] =
        WeightOf(s, i) * Nearness(s, SquaredDistance(s, EntriesOf(RecordAt(s, i)), entries), width);
    sum += shares[i];
  }
  if (!(sum > 0)) { /* all are too far away */
    sum = 0;
    for (i = 0; i < s->n_rows; ++i) sum += shares[i] = WeightOf(s, i);
  }
  for (i = 0; i < s->n_rows; ++i) shares[i] /= sum;
}

static inline void Answer(const Smoother* s, const double* shares, double* sums, int64_t row,
                          cf_prediction* out) {
  int64_t i, c, best = 0;
  double value = 0, total = 0;
  if (s->n_classes == 0) {
    for (i = 0; i < s->n_rows; ++i) value += shares[i] * TargetOf(s, i);
    if (out->values != NULL) out->values[row] = value;
    return;
  }
  for (c = 0; c < s->n_classes; ++c) sums[c] = 0;
  for (i = 0; i < s->n_rows; ++i) sums[(int64_t)TargetOf(s, i)] += shares[i];
  for (c = 0; c < s->n_classes; ++c) {
    total += sums[c];
    if (sums[c] > sums[best]) best = c;
  }
  if (out->labels != NULL) out->labels[row] = (int32_t)best;
  for (c = 0; out->probabilities != NULL && c < s->n_classes; ++c) {
    out->probabilities[row * s->n_classes + c] = sums[c] / total;
  }
}

/* Fills whatever arrays of `out` there are. */
static inline cf_status Ask(const cf_call* call, const Smoother* s, double width,
                            const cf_table* rows, cf_prediction* out) {
  const int64_t n = s->n_features + s->n_rows + s->n_classes + 1;
  double* entries;
  int64_t i;
  if (rows->n_features != s->n_features) {
    char text[96];
    snprintf(text, sizeof(text), "the model has %lld features, these rows have %lld",
             (long long)s->n_features, (long long)rows->n_features);
    return FailBecause(call, CF_E_INVALID_ARGUMENT, text);
  }
  entries = (double*)call->host->scratch(call, (size_t)n * sizeof(double), sizeof(double));
  if (entries == NULL) return FailBecause(call, CF_E_OUT_OF_MEMORY, "out of memory");
  for (i = 0; i < rows->n_rows; ++i) {
    double *shares = entries + s->n_features, *sums = shares + s->n_rows;
    if (call->host->progress(call, (double)i / (double)rows->n_rows) != 0) {
      return FailBecause(call, CF_E_CANCELLED, "cancelled");
    }
    ReadEntries(rows, i, entries);
    FindShares(s, entries, width, shares);
    Answer(s, shares, sums, i, out);
  }
  return CF_OK;
}

#endif
