/* Splits, experiments and their results.
 * Part of crossfold.h, where the rules stand. C99. */
#ifndef CROSSFOLD_C_EXPERIMENT_H
#define CROSSFOLD_C_EXPERIMENT_H

#include "crossfold_c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- splits -------------------------------------------------------------------------------- */

/* Asks a splitter, given as JSON as in crossfold_evaluate(), and an experiment's seed. */
CROSSFOLD_API crossfold_status crossfold_splits_create(crossfold_context* context,
                                                       const crossfold_dataset* dataset,
                                                       const char* splitter, uint64_t seed,
                                                       crossfold_splits** splits);
CROSSFOLD_API size_t crossfold_splits_count(const crossfold_splits* splits);
/* The rows of one split that train (`test` = 0) or test (1). Writes at most `capacity` of them and
 * says in *n_rows how many there are. */
CROSSFOLD_API crossfold_status crossfold_splits_rows(crossfold_context* context,
                                                     const crossfold_splits* splits, size_t split,
                                                     int32_t test, int64_t* rows, size_t capacity,
                                                     size_t* n_rows);
CROSSFOLD_API void crossfold_splits_destroy(crossfold_splits* splits);

/* ---- experiments --------------------------------------------------------------------------- */

/* Fits and scores every learner on every split. `experiment` is JSON:
 *
 *   { "learners": { "knn": [ "standardize", { "id": "knn", "params": { "k": 5 } } ],
 *                   "bayes": "naive_bayes" },
 *     "splitter": { "id": "kfold", "params": { "folds": 10 } },
 *     "metrics": [ "accuracy", "log_loss" ],
 *     "seed": 42, "keep": "labels", "isolate": "none", "store": "runs.cfdb" }
 *
 * A component is { "id", "params" } or a text such as "knn{k=5}"; a learner is one, or a list of
 * transforms that ends in a learner. `learners` are by name, or a list of learners that are called
 * by their texts. `splitter` is left out if `splits` is not NULL. `keep` is "none", "labels"
 * (default) or "probabilities"; `isolate` is "none" (default), "worker", "fresh" or "auto"; `seed`
 * defaults to 1. The numbers are those of cf.evaluate in Lua.
 *
 * `store` is a file, made if it is not there, in which every finished cell (one learner on one
 * split) is kept: a later call, also of another process or after a kill, takes what is there and
 * computes the rest, with the same numbers. A call that is cancelled keeps what had finished.
 * crossfold(1) reads such files: status, export, report, rescore, verify. If it takes no cells any
 * more, as on a full disk, the rest is computed all the same, and crossfold_result_info says what
 * it lacks; with `on_store_error` "stop" (default "continue") the call ends with CROSSFOLD_IO.
 *
 * A fold that fails is no failure of the call: it is in the result. */
CROSSFOLD_API crossfold_status crossfold_evaluate(crossfold_context* context,
                                                  const crossfold_dataset* dataset,
                                                  const crossfold_splits* splits,
                                                  const char* experiment,
                                                  crossfold_result** result);
CROSSFOLD_API void crossfold_result_destroy(crossfold_result* result);

/* How much there is in a result. */
typedef struct crossfold_result_info {
  uint32_t struct_size;
  uint32_t reserved;
  const char* const* learners; /* names */
  size_t n_learners;
  const char* const* metrics; /* texts */
  size_t n_metrics;
  size_t n_scores;    /* folds x metrics */
  size_t n_summaries; /* learners x metrics */
  size_t n_failures;
  size_t n_found;            /* cells that the store had; 0 without one */
  const char* store_problem; /* what the store lacks of them and why; NULL = nothing */
} crossfold_result_info;

CROSSFOLD_API crossfold_status crossfold_result_describe(const crossfold_result* result,
                                                         crossfold_result_info* info);

/* One learner on one split by one metric. */
typedef struct crossfold_score {
  uint32_t struct_size;
  int32_t defined; /* 0 = there is no value: `reason` says why */
  size_t learner, metric;
  int64_t repeat, fold;
  double value;       /* NaN if not defined */
  const char* reason; /* NULL if defined */
} crossfold_score;

/* Learner by learner, split by split, metric by metric. */
CROSSFOLD_API crossfold_status crossfold_result_score(const crossfold_result* result, size_t index,
                                                      crossfold_score* score);

/* One learner by one metric, over the folds in which it is defined. What does not exist is NaN. */
typedef struct crossfold_summary {
  uint32_t struct_size;
  uint32_t reserved;
  size_t learner, metric;
  int64_t n_folds, n_defined, n_failed;
  double mean, sd, min, max, median;
} crossfold_summary;

/* Learner by learner, metric by metric. */
CROSSFOLD_API crossfold_status crossfold_result_summary(const crossfold_result* result,
                                                        size_t index, crossfold_summary* summary);

/* A learner that failed on a split. */
typedef struct crossfold_failure {
  uint32_t struct_size;
  int32_t code; /* cf_status of crossfold_plugin/status.h */
  size_t learner;
  int64_t repeat, fold;
  const char* stage;   /* "fit knn" */
  const char* message; /* what the plugin said */
} crossfold_failure;

/* Learner by learner, split by split. */
CROSSFOLD_API crossfold_status crossfold_result_failure(const crossfold_result* result,
                                                        size_t index, crossfold_failure* failure);

/* Predictions: one entry a row in every array that is there; an array that does not apply is NULL.
 */
typedef struct crossfold_predictions {
  uint32_t struct_size;
  uint32_t reserved;
  size_t n_rows;
  size_t n_classes;
  const int64_t* rows;         /* of the dataset */
  const int64_t* repeats;      /* results only */
  const int64_t* folds;        /* results only */
  const int32_t* labels;       /* classification: class indices */
  const double* values;        /* regression */
  const double* probabilities; /* n_rows x n_classes, row by row */
} crossfold_predictions;

/* The out-of-fold predictions of one learner, fold by fold. Nothing if none were kept. */
CROSSFOLD_API crossfold_status crossfold_result_predictions(const crossfold_result* result,
                                                            size_t learner,
                                                            crossfold_predictions* predictions);
/* The predictions of all learners as one struct array: learner, repeat, fold, row, truth,
 * predicted, p(CLASS) .... The caller releases both structs. */
CROSSFOLD_API crossfold_status crossfold_result_export_arrow(crossfold_context* context,
                                                             const crossfold_result* result,
                                                             struct ArrowSchema* schema,
                                                             struct ArrowArray* array);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif
