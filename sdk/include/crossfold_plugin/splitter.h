/* A splitter decides which rows train and which rows test. It never sees features.
 * Part of crossfold_plugin.h, where the rules of the boundary stand. C99. */
#ifndef CROSSFOLD_PLUGIN_SPLITTER_H
#define CROSSFOLD_PLUGIN_SPLITTER_H

#include "crossfold_plugin/host.h"
#include "crossfold_plugin/param.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- splitter: sees how many rows there are, target, groups and time; never features -----------
 */

/* cf_splitter.uses. Other bits: see "Unknown bits" in crossfold_plugin.h. */
enum {
  CF_SPLIT_USES_TARGET = 1u,
  CF_SPLIT_USES_GROUPS = 2u,
  CF_SPLIT_USES_TIME = 4u,
  CF_SPLIT_USES_FOLDS = 8u /* the column of predefined fold numbers */
};

/* The rows to split, numbered 0 .. n_rows-1. Inside a nested loop these are positions among the
 * outer training rows. */
typedef struct cf_split_input {
  uint32_t struct_size;
  uint32_t flags; /* 0 */
  int64_t n_rows;
  const int32_t* labels; /* class index of each row, -1 = missing; NULL = not a classification */
  int64_t n_classes;
  const char* const* class_names;
  const double* values;  /* regression target; NULL = not a regression */
  const double* weights; /* NULL = all 1 */
  const int64_t* groups; /* NULL = none */
  const double* time;    /* numbers, or days or seconds of dates; NULL = none */
  const int64_t* folds;  /* predefined fold of each row, -1 = never tested; NULL = none */
  const int64_t* strata; /* stratum of each row, beside the class or the value; NULL = none */
  /* The same times without rounding, as whole ticks; NULL = the doubles are exact. Compare these
   * where they are there: two times that differ may be equal as doubles. */
  const int64_t* time_exact;
  double seconds_per_tick; /* of time_exact; NaN = the unit is not known */
} cf_split_input;

typedef struct cf_split_sink cf_split_sink;
struct cf_split_sink {
  uint32_t struct_size;
  uint32_t reserved; /* 0 */
  void* sink_data;   /* the host's; do not touch */
  /* One repeat of a partition: split f tests the rows with fold f and trains on all others. Fold
   * -1 = always trained on. Every fold 0 .. n_folds-1 must have a row. Copied. */
  cf_status(CF_CALL* emit_partition)(const cf_split_sink*, const int32_t* fold_of_row,
                                     int64_t n_rows, int32_t n_folds);
  /* One split as lists of positions. Train and test share no row; train may repeat rows,
   * test may not. */
  cf_status(CF_CALL* emit_split)(const cf_split_sink*, const int64_t* train, int64_t n_train,
                                 const int64_t* test, int64_t n_test);
};

typedef struct cf_splitter {
  uint32_t struct_size;
  uint32_t uses; /* CF_SPLIT_USES_... that it cannot do without; more are read if present */
  cf_info info;
  /* [threading] Emits all splits, or fails: it never lowers what was asked for. Either partitions
   * or explicit splits, not both. */
  cf_status(CF_CALL* split)(const cf_call*, const cf_arg*, size_t n_args, const cf_split_input*,
                            const cf_split_sink*);
  /* [any] NULL for every id in 1.0: no capability is for splitters. May itself be NULL. */
  const void*(CF_CALL* get_capability)(const cf_info* self, const char* id);
} cf_splitter;

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif
