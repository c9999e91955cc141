/* Splits, experiments and their results.
 * This is a part of crossfold.h, which states the rules. C99. */
#ifndef CROSSFOLD_C_EXPERIMENT_H
#define CROSSFOLD_C_EXPERIMENT_H

#include "crossfold_c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- splits -------------------------------------------------------------------------------- */

/* Asks a splitter for splits. `splitter` is JSON as in crossfold_evaluate(), `seed` that of an
 * experiment. */
CROSSFOLD_API crossfold_status crossfold_splits_create(crossfold_context* context,
                                                       const crossfold_dataset* dataset,
                                                       const char* splitter, uint64_t seed,
                                                       crossfold_splits** splits);
CROSSFOLD_API size_t crossfold_splits_count(const crossfold_splits* splits);
/* Writes the training rows (`test` = 0) or test rows (1) of one split, at most `capacity` of them,
 * and their number to *n_rows. */
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
 *     "seed": 42, "keep": "labels", "isolate": "none", "store": "runs.cfdb",
 *     "on_cancel": "fail" }
 *
 * A component is { "id", "params" } or a string such as "knn{k=5}"; a learner is one, or a list of
 * transforms that ends in a learner. `learners` maps names to learners, or is a list of learners
 * whose strings are their names. `splitter` is left out if `splits` is not NULL. `keep` is "none",
 * "labels" (default) or "probabilities"; `isolate` is "none" (default), "worker", "fresh" or
 * "auto"; `seed` defaults to 1. Equal learners have equal numbers; "seeds": { "NAME": 2 } gives one
 * of them others. The numbers are those of cf.evaluate in Lua.
 *
 * `on_cancel` says what a cancellation does: "fail" (default) ends the call with
 * CROSSFOLD_CANCELLED; "partial" ends it with CROSSFOLD_OK and a result of the cells that had
 * finished, if the splits had been made; crossfold_result_info counts the others.
 *
 * `store` is a file that keeps every finished cell (one learner on one split); it is made if it
 * does not exist. A later call, also of another process or after a kill, uses these cells and
 * computes the rest, with the same numbers. A call that is cancelled keeps the finished cells.
 * crossfold(1) reads such files: status, export, report, rescore, verify. If the store cannot take
 * more cells, as on a full disk, the rest is still computed, and crossfold_result_info reports what
 * the store lacks; with `on_store_error` "stop" (default "continue") the call ends with
 * CROSSFOLD_IO.
 *
 * A fold that fails does not make the call fail: the failure is in the result. */
CROSSFOLD_API crossfold_status crossfold_evaluate(crossfold_context* context,
                                                  const crossfold_dataset* dataset,
                                                  const crossfold_splits* splits,
                                                  const char* experiment,
                                                  crossfold_result** result);
CROSSFOLD_API void crossfold_result_destroy(crossfold_result* result);

/* The sizes of a result. */
typedef struct crossfold_result_info {
  uint32_t struct_size;
  uint32_t reserved;
  const char* const* learners; /* names */
  size_t n_learners;
  const char* const* metrics; /* strings */
  size_t n_metrics;
  size_t n_scores;    /* folds x metrics */
  size_t n_summaries; /* learners x metrics */
  size_t n_failures;
  size_t n_found;            /* cells that the store had; 0 without one */
  const char* store_problem; /* what the store lacks of them and why; NULL = nothing */
  size_t n_cancelled;        /* cells that did not run, with "on_cancel": "partial" */
  /* The class whose value each metric has; NULL = the metric names it, or it is of no one class. */
  const char* const* metric_classes;
} crossfold_result_info;

CROSSFOLD_API crossfold_status crossfold_result_describe(const crossfold_result* result,
                                                         crossfold_result_info* info);

/* The score of one learner on one split by one metric. */
typedef struct crossfold_score {
  uint32_t struct_size;
  int32_t defined; /* 0 = there is no value: `reason` says why */
  size_t learner, metric;
  int64_t repeat, fold;
  double value;       /* NaN if not defined */
  const char* reason; /* NULL if defined */
} crossfold_score;

/* Scores are in the order of learners, then splits, then metrics. */
CROSSFOLD_API crossfold_status crossfold_result_score(const crossfold_result* result, size_t index,
                                                      crossfold_score* score);

/* Summary of one learner by one metric, over the folds in which the metric is defined. A value that
 * does not exist is NaN. `mean` is what `aggregation` says: the mean over folds, or for folds that
 * are too small for the metric, or whose rows have weights, a number of all rows. */
typedef struct crossfold_summary {
  uint32_t struct_size;
  uint32_t reserved;
  size_t learner, metric;
  int64_t n_folds, n_defined, n_failed;
  double mean, sd, min, max, median;
  const char* aggregation; /* "mean over folds", "weighted by rows" or "pooled over predictions" */
  const char* reason;      /* why there is no mean, if it is pooled; else NULL */
} crossfold_summary;

/* Summaries are in the order of learners, then metrics. */
CROSSFOLD_API crossfold_status crossfold_result_summary(const crossfold_result* result,
                                                        size_t index, crossfold_summary* summary);

/* A failure of a learner on a split. */
typedef struct crossfold_failure {
  uint32_t struct_size;
  int32_t code; /* cf_status of crossfold_plugin/status.h; at stage "run" also 201 plugin, 202 time,
                 * 203 memory, 204 killed, 205 disk, 206 lost */
  size_t learner;
  int64_t repeat, fold;
  const char* stage;   /* "fit knn" */
  const char* message; /* what the plugin said */
} crossfold_failure;

/* Failures are in the order of learners, then splits. */
CROSSFOLD_API crossfold_status crossfold_result_failure(const crossfold_result* result,
                                                        size_t index, crossfold_failure* failure);

/* Predictions, with one entry per row in each array. Arrays that do not apply are NULL. */
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
  const int32_t* true_labels;  /* results only: classification */
  const double* true_values;   /* results only: regression */
} crossfold_predictions;

/* Gets the out-of-fold predictions of one learner, fold by fold. There may be none. */
CROSSFOLD_API crossfold_status crossfold_result_predictions(const crossfold_result* result,
                                                            size_t learner,
                                                            crossfold_predictions* predictions);
/* Exports the predictions of all learners as one struct array: learner, repeat, fold, row, truth,
 * predicted, p(CLASS) .... The caller releases both structs. */
CROSSFOLD_API crossfold_status crossfold_result_export_arrow(crossfold_context* context,
                                                             const crossfold_result* result,
                                                             struct ArrowSchema* schema,
                                                             struct ArrowArray* array);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif
