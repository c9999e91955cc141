/* Optional abilities of a component.
 * Part of crossfold_plugin.h, where the rules of the boundary stand. C99. */
#ifndef CROSSFOLD_PLUGIN_CAPABILITY_H
#define CROSSFOLD_PLUGIN_CAPABILITY_H

#include "crossfold_plugin/data.h"
#include "crossfold_plugin/host.h"
#include "crossfold_plugin/metric.h"
#include "crossfold_plugin/param.h"
#include "crossfold_plugin/transform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- capabilities: optional tables, found by id "name/revision", each with a law ---------------
 * The law is what the host relies on and the conformance kit tests. */

/* Law: labels equal predict()'s; every row sums to 1 within 1e-9; all within [0, 1]. */
#define CF_CAP_PROBA "crossfold.proba/1"
typedef struct cf_cap_proba {
  uint32_t struct_size, reserved;
  /* Writes out->probabilities, and out->labels if that is not NULL. */
  cf_status(CF_CALL* predict_proba)(const cf_call*, const cf_model*, const cf_table* rows,
                                    cf_prediction* out);
} cf_cap_proba;

/* A structure per dataset (sorted columns, neighbour lists) that serves every fold and setting.
 * Only parameters flagged CF_PF_PREPARE may matter; no target is seen. Any number of threads use it
 * at the same time.
 * Law: fit_prepared() equals fit() byte for byte. */
#define CF_CAP_PREPARE "crossfold.prepare/1"
typedef struct cf_prepared cf_prepared; /* opaque; owned by the plugin */
typedef struct cf_cap_prepare {
  uint32_t struct_size, reserved;
  cf_status(CF_CALL* prepare)(const cf_call*, const cf_arg*, size_t n_args, const cf_table* all,
                              cf_prepared** out);
  cf_status(CF_CALL* fit_prepared)(const cf_call*, const cf_arg*, size_t n_args, const cf_prepared*,
                                   const cf_table* train, cf_model** out);
  /* NULL = no fit-path on prepared data. */
  cf_status(CF_CALL* fit_path_prepared)(const cf_call*, const cf_arg*, size_t n_args,
                                        const char* param, const cf_value* values, size_t n_values,
                                        const cf_prepared*, const cf_table* train, cf_model** out);
  void(CF_CALL* destroy)(cf_prepared*);         /* [any] */
  uint64_t(CF_CALL* bytes)(const cf_prepared*); /* [any] memory it holds */
} cf_cap_prepare;

/* One fit for many values of the CF_PF_SUBMODEL parameter.
 * Law: predict_at(i) equals predict() of a separate fit with value i, byte for byte. */
#define CF_CAP_FIT_PATH "crossfold.fit-path/1"
typedef struct cf_cap_fit_path {
  uint32_t struct_size, reserved;
  cf_status(CF_CALL* fit_path)(const cf_call*, const cf_arg*, size_t n_args, const char* param,
                               const cf_value* values, size_t n_values, const cf_table* train,
                               cf_model** out);
  /* Fills whatever arrays of `out` are not NULL; probabilities only with crossfold.proba/1. */
  cf_status(CF_CALL* predict_at)(const cf_call*, const cf_model*, size_t value_index,
                                 const cf_table* rows, cf_prediction* out);
} cf_cap_fit_path;

/* Law: remove_rows(add_rows(m, r), r) = m; remove_rows(fit(all), f) = fit(all \ f); a clone is
 * independent. exact = 1: byte for byte; 0: scores and probabilities within `tolerance`. */
#define CF_CAP_INCREMENTAL "crossfold.incremental/1"
typedef struct cf_cap_incremental {
  uint32_t struct_size;
  uint32_t exact;
  double tolerance;
  cf_status(CF_CALL* clone)(const cf_call*, const cf_model*, cf_model** out);
  cf_status(CF_CALL* add_rows)(const cf_call*, cf_model*, const cf_table*);
  cf_status(CF_CALL* remove_rows)(const cf_call*, cf_model*, const cf_table*); /* NULL = cannot */
} cf_cap_incremental;

/* Every out-of-fold prediction of a partition, for a group of settings, in one call.
 * Law: what the sink receives for a setting and a fold follows from the table, the fold's rows, the
 * setting and its seed alone, whatever the other folds and settings are and whether `prepared` is
 * given. tolerance = 0: it equals separate fits byte for byte; above 0: its values and
 * probabilities are within the tolerance of theirs, absolute, or relative for numbers above 1. */
#define CF_CAP_CROSS_PREDICT "crossfold.cross-predict/1"
typedef struct cf_setting { /* fixed layout */
  const cf_arg* args;
  size_t n_args;
} cf_setting;
typedef struct cf_cross_sink cf_cross_sink;
struct cf_cross_sink {
  uint32_t struct_size;
  uint32_t wanted; /* CF_NEEDS_LABELS | CF_NEEDS_VALUES | CF_NEEDS_PROBABILITIES */
  void* sink_data; /* the host's; do not touch */
  /* [any] The seed a separate fit of (setting, fold) would have got. */
  uint64_t(CF_CALL* seed)(const cf_cross_sink*, size_t setting, int32_t fold);
  /* [any] Predictions for n view positions of one setting, in any order and any portions. */
  cf_status(CF_CALL* emit)(const cf_cross_sink*, size_t setting, const int64_t* positions,
                           int64_t n, const cf_prediction*);
  /* [any] This setting (in this fold; -1 = in all) has no prediction, and why. */
  void(CF_CALL* fail)(const cf_cross_sink*, size_t setting, int32_t fold, cf_status code,
                      const char* message);
};
typedef struct cf_cap_cross_predict {
  uint32_t struct_size, reserved;
  /* `table` has a target; row i belongs to fold_of_row[i] (-1 = always trained on). A prediction
   * for fold f uses no target of fold f. `prepared` may be NULL. */
  cf_status(CF_CALL* cross_predict)(const cf_call*, const cf_setting* settings, size_t n_settings,
                                    const cf_table* table, const int32_t* fold_of_row,
                                    int32_t n_folds, const cf_prepared* prepared,
                                    const cf_cross_sink*);
  double tolerance;
} cf_cap_cross_predict;

/* Law: save, load, save gives the same bytes; a loaded model predicts the same bytes; random bytes
 * are refused with CF_E_BAD_BLOB. Same table for learners and transforms. */
#define CF_CAP_SERIALIZE "crossfold.serialize/1"
typedef struct cf_writer { /* fixed layout; returns the bytes taken (may be fewer), < 0 = error */
  void* stream;
  int64_t(CF_CALL* write)(void* stream, const void* bytes, size_t n);
} cf_writer;
typedef struct cf_reader { /* fixed layout; returns the bytes given (may be fewer), 0 = end */
  void* stream;
  int64_t(CF_CALL* read)(void* stream, void* bytes, size_t n);
} cf_reader;
typedef struct cf_cap_serialize {
  uint32_t struct_size;
  uint32_t format_version; /* load() reads this version and every earlier one */
  cf_status(CF_CALL* save)(const cf_call*, const cf_model*, const cf_writer*);
  cf_status(CF_CALL* load)(const cf_call*, const cf_reader*, cf_model** out);
} cf_cap_serialize;

/* Law: finite, one number a feature; permuting the columns permutes it. */
#define CF_CAP_IMPORTANCE "crossfold.importance/1"
typedef struct cf_cap_importance {
  uint32_t struct_size, reserved;
  cf_status(CF_CALL* importance)(const cf_call*, const cf_model*, double* out, size_t n_features);
} cf_cap_importance;

/* Fit from a neighbouring model, of the same features and classes, which stays as it is. Not exact:
 * used only when a script asks for it. */
#define CF_CAP_WARM_START "crossfold.warm-start/1"
typedef struct cf_cap_warm_start {
  uint32_t struct_size, reserved;
  cf_status(CF_CALL* fit_from)(const cf_call*, const cf_arg*, size_t n_args, const cf_table* train,
                               const cf_model* start, cf_model** out);
} cf_cap_warm_start;

/* Limits that depend on the data (k <= rows of the smallest training fold). For every kind.
 * Law: agrees with what fit() does. */
#define CF_CAP_CHECK "crossfold.check/1"
typedef struct cf_shape {
  uint32_t struct_size;
  uint32_t flags;
  int64_t n_rows; /* the fewest training rows of any fold; for a splitter the rows to split */
  int64_t n_features, n_numeric, n_categorical;
  int64_t n_classes;              /* 0 in regression */
  const char* const* class_names; /* NULL = not known */
} cf_shape;
enum { CF_SHAPE_HAS_COSTS = 1u, CF_SHAPE_HAS_ROW_COSTS = 2u }; /* cf_shape.flags */
typedef struct cf_cap_check {
  uint32_t struct_size, reserved;
  cf_status(CF_CALL* check)(const cf_call*, const cf_arg*, size_t n_args, const cf_shape*);
} cf_cap_check;

#define CF_CAP_MEMORY "crossfold.memory/1"
typedef struct cf_cap_memory {
  uint32_t struct_size, reserved;
  uint64_t(CF_CALL* model_bytes)(const cf_model*); /* [any] */
} cf_cap_memory;

/* Transforms that choose, repeat or weigh the training rows (over- and undersampling). Only ever
 * applied to training rows: resample() comes before fit(), which gets the rows it emitted. */
#define CF_CAP_RESAMPLE "crossfold.resample/1"
typedef struct cf_row_sink {
  uint32_t struct_size, reserved;
  void* sink_data; /* the host's; do not touch */
  /* Positions in the view, repeats allowed; weights may be NULL. Called once. Copied. */
  cf_status(CF_CALL* emit_rows)(const struct cf_row_sink*, const int64_t* positions, int64_t n,
                                const double* weights);
} cf_row_sink;
typedef struct cf_cap_resample {
  uint32_t struct_size, reserved;
  cf_status(CF_CALL* resample)(const cf_call*, const cf_arg*, size_t n_args, const cf_table* train,
                               const cf_row_sink*);
} cf_cap_resample;

/* Transforms that make new training rows (SMOTE). Needs crossfold.resample/1. Called after
 * resample() with the same seed, arguments and view, and the positions that it emitted; writes the
 * features of these n rows. Target, weight, group and row id of row i stay those of positions[i].
 * Law: the columns have the names, types and levels of the view's features, in its order. */
#define CF_CAP_SYNTHESIZE "crossfold.synthesize/1"
typedef struct cf_cap_synthesize {
  uint32_t struct_size, reserved;
  /* pass_column() of `out` gives row i the entry of positions[i]. */
  cf_status(CF_CALL* synthesize)(const cf_call*, const cf_arg*, size_t n_args,
                                 const cf_table* train, const int64_t* positions, int64_t n,
                                 const cf_column_sink* out);
} cf_cap_synthesize;

/* Metrics that take the rows block by block: so any number of metrics share one pass over the
 * predictions. Law: begin, add for consecutive blocks of any sizes and finish give what score()
 * gives for all rows, byte for byte. */
#define CF_CAP_ACCUMULATE "crossfold.accumulate/1"
typedef struct cf_accumulator cf_accumulator; /* opaque; owned by the plugin */
typedef struct cf_cap_accumulate {
  uint32_t struct_size, reserved;
  /* `about` has no rows: classes, costs and what is known of the training rows. */
  cf_status(CF_CALL* begin)(const cf_call*, const cf_arg*, size_t n_args,
                            const cf_metric_input* about, cf_accumulator** out);
  cf_status(CF_CALL* add)(const cf_call*, cf_accumulator*, const cf_metric_input* block);
  /* As score(): *value, or CF_E_UNDEFINED. begin() and add() may end with CF_E_UNDEFINED, too; then
   * nothing but destroy() follows. */
  cf_status(CF_CALL* finish)(const cf_call*, cf_accumulator*, double* value);
  void(CF_CALL* destroy)(cf_accumulator*); /* [any] */
} cf_cap_accumulate;

/* A model as text: for people, for a drawing program, for other systems.
 * Law: UTF-8; the same model gives the same bytes. For learners and transforms. */
#define CF_CAP_EXPORT "crossfold.export/1"
typedef struct cf_cap_export {
  uint32_t struct_size, reserved;
  const char* const* formats; /* [a-z0-9_]+: "text" first if there is one; static */
  size_t n_formats;
  cf_status(CF_CALL* export_model)(const cf_call*, const cf_model*, size_t format,
                                   const cf_writer*);
} cf_cap_export;

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif
