/* Capabilities that are drafts: hosts use them today, but they may be replaced by another revision
 * of their id ("crossfold.memory/2") when more than one host and one learner has tried them. A host
 * that no longer knows a draft does without it; no plugin stops loading for it.
 * Part of crossfold_plugin.h, where the rules of the boundary stand. C99. */
#ifndef CROSSFOLD_PLUGIN_DRAFT_H
#define CROSSFOLD_PLUGIN_DRAFT_H

#include "crossfold_plugin/capability.h"
#include "crossfold_plugin/data.h"
#include "crossfold_plugin/host.h"
#include "crossfold_plugin/param.h"
#include "crossfold_plugin/transform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Law: remove_rows(add_rows(m, r), r) = m; remove_rows(fit(all), f) = fit(all \ f); a clone is
 * independent. exact = 1: byte for byte; 0: scores and probabilities within `tolerance`. */
#define CF_CAP_INCREMENTAL "crossfold.incremental/1"
typedef struct cf_cap_incremental {
  uint32_t struct_size;
  uint32_t exact;
  double tolerance;
  cf_status(CF_CALL* clone)(const cf_call*, const cf_model*, cf_model** out);
  /* After a failure of add_rows() or remove_rows() nothing but destroy() follows. */
  cf_status(CF_CALL* add_rows)(const cf_call*, cf_model*, const cf_table*);
  cf_status(CF_CALL* remove_rows)(const cf_call*, cf_model*, const cf_table*); /* NULL = cannot */
} cf_cap_incremental;

/* Fit from a neighbouring model, of the same features and classes, which stays as it is. Not exact:
 * used only when a script asks for it. */
#define CF_CAP_WARM_START "crossfold.warm-start/1"
typedef struct cf_cap_warm_start {
  uint32_t struct_size, reserved; /* 0 */
  cf_status(CF_CALL* fit_from)(const cf_call*, const cf_arg*, size_t n_args, const cf_table* train,
                               const cf_model* start, cf_model** out);
} cf_cap_warm_start;

/* Learners that choose by rows that they are not fitted on, such as when to stop. The host divides
 * the training rows before it fits the transforms, which see `train` only, and applies them to the
 * rows of `validation`. These have a target, weights if the dataset has them, and the features,
 * levels and classes of `train`; a class may be in one of both only. Law: the model follows from
 * the set of the validation rows: where they are in the buffers does not matter and, with
 * CF_DET_ROW_ORDER, neither does their order; rows of weight 0 are absent. It predicts as a model
 * of fit() does. The parameters that `params` names do not matter to fit(). */
#define CF_CAP_VALIDATION "crossfold.validation/1"
typedef struct cf_cap_validation {
  uint32_t struct_size, reserved; /* 0 */
  cf_status(CF_CALL* fit_validated)(const cf_call*, const cf_arg*, size_t n_args,
                                    const cf_table* train, const cf_table* validation,
                                    cf_model** out);
  const char* const* params; /* names of parameters that have an effect here only; NULL = none */
  size_t n_params;
} cf_cap_validation;

/* Law: at least 1 for a model, and about what it holds on the heap. */
#define CF_CAP_MEMORY "crossfold.memory/1"
typedef struct cf_cap_memory {
  uint32_t struct_size, reserved; /* 0 */
  /* [any; CF_MT_NONE: with the other calls] */
  uint64_t(CF_CALL* model_bytes)(const cf_info* self, const cf_model*);
} cf_cap_memory;

/* How much memory a fit takes, so that a host can refuse one that the machine cannot hold before it
 * starts. `shape` is that of check(), with the number of training rows of this fit. Writes the
 * bytes of anonymous memory that fit() holds at its peak with the threads of this call, its model
 * included, in addition to what `train` lends: enough for any entries of such data. 8 bytes per row
 * and feature say that it copies the features. Law: the allocator never gives more than twice of
 * that. */
#define CF_CAP_FIT_MEMORY "crossfold.fit-memory/1"
typedef struct cf_cap_fit_memory {
  uint32_t struct_size, reserved; /* 0 */
  cf_status(CF_CALL* fit_bytes)(const cf_call*, const cf_arg*, size_t n_args, const cf_shape*,
                                uint64_t* bytes);
  /* The same for cross_predict() of one setting on a table of n_rows rows. NULL = not known. */
  cf_status(CF_CALL* cross_bytes)(const cf_call*, const cf_arg*, size_t n_args, const cf_shape*,
                                  uint64_t* bytes);
} cf_cap_fit_memory;

/* Transforms that make new training rows (SMOTE). Needs crossfold.resample/1. Called after
 * resample() with the same seed, arguments and view, and the positions that it emitted; writes the
 * features of these n rows. Target, weight, group and row id of row i stay those of positions[i].
 * Law: the columns have the names, types and levels of the view's features, in its order. */
#define CF_CAP_SYNTHESIZE "crossfold.synthesize/1"
typedef struct cf_cap_synthesize {
  uint32_t struct_size, reserved; /* 0 */
  /* pass_column() of `out` gives row i the entry of positions[i]. */
  cf_status(CF_CALL* synthesize)(const cf_call*, const cf_arg*, size_t n_args,
                                 const cf_table* train, const int64_t* positions, int64_t n,
                                 const cf_column_sink* out);
} cf_cap_synthesize;

/* A model as a graph of ONNX operators, which the host joins with those of the other steps of a
 * pipeline. For learners and transforms. `columns` are those that fit() got, without rows. Writes a
 * GraphProto in the JSON of protobuf, with an input per column; docs/onnx.md has its shapes and
 * types. CF_E_UNSUPPORTED = ONNX cannot express this model. Law: the same model gives the same
 * bytes. */
#define CF_CAP_ONNX "crossfold.onnx/1"
typedef struct cf_cap_onnx {
  uint32_t struct_size, reserved; /* 0 */
  cf_status(CF_CALL* write_graph)(const cf_call*, const cf_model*, const cf_table* columns,
                                  const cf_writer*);
} cf_cap_onnx;

/* Learners whose models rank rows without probabilities, such as a support vector machine by its
 * decision values. A host uses the scores for metrics with CF_TAKES_SCORES, and for nothing else.
 * Law: labels equal predict()'s; scores are finite; a row's scores do not depend on the other rows.
 */
#define CF_CAP_SCORES "crossfold.scores/1"
typedef struct cf_cap_scores {
  uint32_t struct_size, reserved; /* 0 */
  /* [any] Whether models that are fitted with these arguments have scores instead of probabilities:
   * 0 or 1. If 0, predict_scores() is not called and crossfold.proba/1 counts, if there is one. */
  int32_t(CF_CALL* replaces_probabilities)(const cf_info* self, const cf_arg*, size_t n_args);
  /* Writes out->values: n_rows x n_classes numbers, row-major, where more for a class means that a
   * row is more likely of this class than another row with less. Also out->labels if that is not
   * NULL. With crossfold.fit-path/1, predict_at() does the same. */
  cf_status(CF_CALL* predict_scores)(const cf_call*, const cf_model*, const cf_table* rows,
                                     cf_prediction* out);
} cf_cap_scores;

/* The size of a test set from which on the mean of the scores of several test sets is about the
 * score of all their rows. For metrics that are not means over rows: those of smaller sets are
 * pooled. The table is static. Law: neither number is negative. */
#define CF_CAP_TEST_SIZE "crossfold.test-size/1"
typedef struct cf_cap_test_size {
  uint32_t struct_size, reserved; /* 0 */
  int64_t rows;                   /* in a test set */
  int64_t class_rows;             /* classification: of the rarest class in a test set */
} cf_cap_test_size;

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif
