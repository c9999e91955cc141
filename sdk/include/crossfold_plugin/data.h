/* Data as a plugin sees it: borrowed columns, a row index, and where predictions go.
 * Part of crossfold_plugin.h, where the rules of the boundary stand. C99. */
#ifndef CROSSFOLD_PLUGIN_DATA_H
#define CROSSFOLD_PLUGIN_DATA_H

#include "crossfold_plugin/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- data: borrowed column views plus a row index, so a fold is never a copy --------------- */

/* The types of entries. CF_F64 to CF_BOOL8 are the numeric ones, and stay the only ones that
 * CF_ACCEPTS_NUMERIC means. */
enum { CF_F64 = 1, CF_F32 = 2, CF_I32 = 3, CF_I64 = 4, CF_BOOL8 = 5, CF_CAT32 = 6 };

/* cf_column.flags. A plugin ignores other bits. */
enum { CF_COLUMN_ORDERED = 1u }; /* the levels have an order */

/* Fixed layout, 72 bytes on LP64. An entry is missing if its validity bit is 0, if it is a NaN, or
 * if it is a category code of -1. Entries may be infinite: a method that cannot use an infinite
 * feature fails with CF_E_UNSUPPORTED_DATA. */
typedef struct cf_column {
  const void* data;          /* contiguous and aligned; entry i is the i-th element */
  const uint8_t* validity;   /* Arrow bitmap, least significant bit first, 1 = present; or NULL */
  const char* name;          /* unique within its table */
  const char* const* levels; /* CF_CAT32: n_levels names; NULL otherwise */
  int64_t n_levels;          /* of the whole dataset, never of a fold */
  int64_t null_count;        /* of the whole column; -1 = unknown */
  int32_t dtype;             /* CF_F64 ... CF_CAT32 (int32 codes) */
  uint32_t flags;            /* CF_COLUMN_... */
  int64_t validity_offset;   /* bit of entry 0 in the bitmap */
  const void* more;          /* NULL in 1.0; for what later types of entries need */
} cf_column;

/* Rows of a dataset. ENSURES (the host): the target has no missing entry and is finite; weights are
 * finite and not negative. A level that training did not have reaches a model as code -1, and only
 * if its component declares CF_ACCEPTS_MISSING.
 * Row i of the view is entry rows[i] of every column buffer. */
typedef struct cf_table {
  uint32_t struct_size;
  uint32_t flags;       /* 0 */
  int64_t n_rows_total; /* length of every column buffer */
  int64_t n_rows;       /* rows in this view */
  const int64_t* rows;  /* row ids into the buffers, repeats allowed; NULL = 0 .. n_rows-1 */
  int64_t n_features;
  const cf_column* features;
  const cf_column* target; /* NULL wherever a target must not be seen: predict, apply, prepare.
                              Classification: CF_CAT32 whose levels are the classes of the whole
                              dataset in their fixed order. Regression: CF_F64. */
  const double* weights;   /* per view row, finite and >= 0; NULL = all 1 */
  const int64_t* groups;   /* per view row; NULL = none */
  const int64_t* row_ids;  /* per view row: its row in the dataset, whatever transforms have done to
                              the columns; for tie rules. NULL = the same as `rows` */
} cf_table;

/* How far a row of probabilities may be from a sum of 1, in every law of this header. */
#define CF_PROBABILITY_TOLERANCE 1e-6

/* Where a prediction goes: arrays of the host, as long as the call needs them, NULL = not asked
 * for. Labels and values never share an array. ENSURES (the plugin, if it returns CF_OK): every
 * entry of the arrays asked for is written; values are finite; probabilities are within [0, 1]. */
typedef struct cf_prediction {
  uint32_t struct_size;
  uint32_t flags;        /* 0 */
  int64_t n_rows;        /* rows of the view being predicted */
  int64_t n_classes;     /* 0 in regression */
  int32_t* labels;       /* n_rows class indices */
  double* values;        /* n_rows values in the target's unit (regression) */
  double* probabilities; /* n_rows x n_classes, row-major; each row sums to 1; a class that the
                            training rows lack gets 0 */
} cf_prediction;

/* The same arrays for reading: what a plugin hands to a host. */
typedef struct cf_prediction_view {
  uint32_t struct_size;
  uint32_t flags; /* 0 */
  int64_t n_rows;
  int64_t n_classes;
  const int32_t* labels;
  const double* values;
  const double* probabilities;
} cf_prediction_view;

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif
