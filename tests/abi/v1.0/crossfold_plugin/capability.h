/* Optional abilities of a component.
 * Part of crossfold_plugin.h, where the rules of the boundary stand. C99. */
#ifndef CROSSFOLD_PLUGIN_CAPABILITY_H
#define CROSSFOLD_PLUGIN_CAPABILITY_H

#include "crossfold_plugin/data.h"
#include "crossfold_plugin/host.h"
#include "crossfold_plugin/metric.h"
#include "crossfold_plugin/param.h"
#include "crossfold_plugin/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- capabilities: optional tables, found by id "name/revision", each with a law ---------------
 * The law is what the host relies on and the conformance kit tests. Those of this header are kept
 * for ever; those of draft.h are not yet. */

/* Law: labels equal predict()'s; all within [0, 1]; every row sums to 1 within
 * CF_PROBABILITY_TOLERANCE. */
#define CF_CAP_PROBA "crossfold.proba/1"
typedef struct cf_cap_proba {
  uint32_t struct_size, reserved; /* 0 */
  /* Writes out->probabilities, and out->labels if that is not NULL. */
  cf_status(CF_CALL* predict_proba)(const cf_call*, const cf_model*, const cf_table* rows,
                                    cf_prediction* out);
} cf_cap_proba;

/* A structure per dataset (sorted columns, neighbour lists) that serves every fold and setting.
 * Only parameters flagged CF_PF_PREPARE may matter; no target is seen. With CF_MT_PREDICT any
 * number of threads use one structure at the same time; with CF_MT_OBJECTS no host prepares. Law:
 * fit_prepared() equals fit() byte for byte. */
#define CF_CAP_PREPARE "crossfold.prepare/1"
typedef struct cf_prepared cf_prepared; /* opaque; owned by the plugin */
typedef struct cf_cap_prepare {
  uint32_t struct_size, reserved; /* 0 */
  cf_status(CF_CALL* prepare)(const cf_call*, const cf_arg*, size_t n_args, const cf_table* all,
                              cf_prepared** out);
  cf_status(CF_CALL* fit_prepared)(const cf_call*, const cf_arg*, size_t n_args, const cf_prepared*,
                                   const cf_table* train, cf_model** out);
  /* NULL = no fit-path on prepared data. */
  cf_status(CF_CALL* fit_path_prepared)(const cf_call*, const cf_arg*, size_t n_args,
                                        const char* param, const cf_value* values, size_t n_values,
                                        const cf_prepared*, const cf_table* train, cf_model** out);
  /* [any; CF_MT_NONE: with the other calls] NULL is allowed; never fails. */
  void(CF_CALL* destroy)(const cf_info* self, cf_prepared*);
  /* [any; CF_MT_NONE: with the other calls] About how much memory it holds. */
  uint64_t(CF_CALL* bytes)(const cf_info* self, const cf_prepared*);
} cf_cap_prepare;

/* One fit for many values of the CF_PF_SUBMODEL parameter. The values are distinct; what `args`
 * says of that parameter is ignored. Law: predict_at(i) equals predict() of a separate fit with
 * value i, byte for byte. */
#define CF_CAP_FIT_PATH "crossfold.fit-path/1"
typedef struct cf_cap_fit_path {
  uint32_t struct_size, reserved; /* 0 */
  cf_status(CF_CALL* fit_path)(const cf_call*, const cf_arg*, size_t n_args, const char* param,
                               const cf_value* values, size_t n_values, const cf_table* train,
                               cf_model** out);
  /* Fills whatever arrays of `out` are not NULL; probabilities only with crossfold.proba/1. */
  cf_status(CF_CALL* predict_at)(const cf_call*, const cf_model*, size_t value_index,
                                 const cf_table* rows, cf_prediction* out);
} cf_cap_fit_path;

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
  /* [any] Predictions for n view positions of one setting, in any order and any portions. Each row
   * of a fold is emitted once. Copied. */
  cf_status(CF_CALL* emit)(const cf_cross_sink*, size_t setting, const int64_t* positions,
                           int64_t n, const cf_prediction_view*);
  /* [any] This setting (in this fold; -1 = in all) has no prediction, and why. */
  void(CF_CALL* fail)(const cf_cross_sink*, size_t setting, int32_t fold, cf_status code,
                      const char* message);
};
typedef struct cf_cap_cross_predict {
  uint32_t struct_size, reserved; /* 0 */
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
  uint32_t struct_size, reserved; /* 0 */
  cf_status(CF_CALL* importance)(const cf_call*, const cf_model*, double* out, size_t n_features);
} cf_cap_importance;

/* Limits that depend on the data (k <= rows of the smallest training fold). For learners,
 * transforms and metrics. Law: agrees with what fit() or score() does. */
#define CF_CAP_CHECK "crossfold.check/1"
typedef struct cf_shape {
  uint32_t struct_size;
  uint32_t flags;
  int64_t n_rows; /* the fewest training rows of any fold; for a metric the fewest test rows */
  int64_t n_features, n_numeric, n_categorical;
  int64_t n_classes;              /* 0 in regression */
  const char* const* class_names; /* NULL = not known */
} cf_shape;
enum { CF_SHAPE_HAS_COSTS = 1u, CF_SHAPE_HAS_ROW_COSTS = 2u }; /* cf_shape.flags */
typedef struct cf_cap_check {
  uint32_t struct_size, reserved; /* 0 */
  cf_status(CF_CALL* check)(const cf_call*, const cf_arg*, size_t n_args, const cf_shape*);
} cf_cap_check;

/* Transforms that choose, repeat or weigh the training rows (over- and undersampling). Only ever
 * applied to training rows: resample() comes before fit(), which gets the rows it emitted. */
#define CF_CAP_RESAMPLE "crossfold.resample/1"
typedef struct cf_row_sink {
  uint32_t struct_size, reserved; /* 0 */
  void* sink_data;                /* the host's; do not touch */
  /* Positions in the view, at least one, repeats allowed; weights may be NULL. Called once.
   * Copied. */
  cf_status(CF_CALL* emit_rows)(const struct cf_row_sink*, const int64_t* positions, int64_t n,
                                const double* weights);
} cf_row_sink;
typedef struct cf_cap_resample {
  uint32_t struct_size, reserved; /* 0 */
  cf_status(CF_CALL* resample)(const cf_call*, const cf_arg*, size_t n_args, const cf_table* train,
                               const cf_row_sink*);
} cf_cap_resample;

/* Metrics that take the rows block by block: so any number of metrics share one pass over the
 * predictions. Law: begin, add for consecutive blocks of any sizes and finish give what score()
 * gives for all rows, byte for byte. */
#define CF_CAP_ACCUMULATE "crossfold.accumulate/1"
typedef struct cf_accumulator cf_accumulator; /* opaque; owned by the plugin */
typedef struct cf_cap_accumulate {
  uint32_t struct_size, reserved; /* 0 */
  /* `about` has no rows: classes, costs and what is known of the training rows. */
  cf_status(CF_CALL* begin)(const cf_call*, const cf_arg*, size_t n_args,
                            const cf_metric_input* about, cf_accumulator** out);
  cf_status(CF_CALL* add)(const cf_call*, cf_accumulator*, const cf_metric_input* block);
  /* As score(): *value, or CF_E_UNDEFINED. begin() and add() may end with CF_E_UNDEFINED, too; then
   * nothing but destroy() follows. */
  cf_status(CF_CALL* finish)(const cf_call*, cf_accumulator*, double* value);
  /* [any; CF_MT_NONE: with the other calls] NULL is allowed; never fails. */
  void(CF_CALL* destroy)(const cf_info* self, cf_accumulator*);
} cf_cap_accumulate;

/* A model as text: for people, for a drawing program, for other systems.
 * Law: UTF-8; the same model gives the same bytes. For learners and transforms. */
#define CF_CAP_EXPORT "crossfold.export/1"
typedef struct cf_cap_export {
  uint32_t struct_size, reserved; /* 0 */
  const char* const* formats;     /* [a-z0-9_]+: "text" first if there is one; static */
  size_t n_formats;
  cf_status(CF_CALL* export_model)(const cf_call*, const cf_model*, size_t format,
                                   const cf_writer*);
} cf_cap_export;

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif
