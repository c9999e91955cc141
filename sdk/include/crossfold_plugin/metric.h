/* A metric turns truth and predictions into one number, or says why there is none.
 * Part of crossfold_plugin.h, where the rules of the boundary stand. C99. */
#ifndef CROSSFOLD_PLUGIN_METRIC_H
#define CROSSFOLD_PLUGIN_METRIC_H

#include "crossfold_plugin/host.h"
#include "crossfold_plugin/param.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- metric --------------------------------------------------------------------------------- */

/* cf_metric.needs. Other bits: see "Unknown bits" in crossfold_plugin.h. */
enum {
  CF_NEEDS_LABELS = 1u,
  CF_NEEDS_VALUES = 2u,
  CF_NEEDS_PROBABILITIES = 4u,
  CF_NEEDS_COSTS = 8u,
  CF_NEEDS_GROUPS = 16u,
  CF_NEEDS_TRAINING_TARGET = 32u,
  /* In CF_MAY_BE_IGNORED. With CF_NEEDS_PROBABILITIES: only the order of the rows by a class's
   * probabilities matters, so `probabilities` may be scores of crossfold.scores/1
   * (CF_INPUT_HAS_SCORES), which are any finite numbers. */
  CF_TAKES_SCORES = 0x10000u
};

enum { CF_INPUT_HAS_SCORES = 1u }; /* cf_metric_input.flags: `probabilities` are scores */

typedef struct cf_metric_input {
  uint32_t struct_size;
  uint32_t flags; /* CF_INPUT_... */
  int64_t n_rows;
  int64_t n_classes; /* 0 in regression */
  const char* const* class_names;
  const int32_t* truth_labels; /* classification; no entry is missing */
  const double* truth_values;  /* regression; no entry is missing */
  const int32_t* labels;       /* predictions, as in cf_prediction; NULL = not available */
  const double* values;
  const double* probabilities;
  const double* weights;   /* NULL = all 1 */
  const int64_t* groups;   /* NULL = none */
  const double* costs;     /* n_classes x n_classes, row = truth, column = predicted; NULL = none */
  const double* row_costs; /* n_rows x n_classes, cost of predicting that class; NULL = none */
  const double* training_class_weights; /* n_classes sums of weight in the training rows; or NULL */
  double training_mean;                 /* of the regression target; NaN = not known */
} cf_metric_input;

typedef struct cf_metric {
  uint32_t struct_size;
  uint32_t needs; /* CF_NEEDS_... */
  cf_info info;
  uint32_t tasks;    /* CF_TASK_... */
  int32_t direction; /* +1 = higher is better, -1 = lower is better, 0 = neither */
  double worst, best;
  /* [threading] CF_OK: *value is the score and not NaN (an infinity is allowed if it is a bound).
   * CF_E_UNDEFINED: no value exists for these rows, and fail() says why. */
  cf_status(CF_CALL* score)(const cf_call*, const cf_arg*, size_t n_args, const cf_metric_input*,
                            double* value);
  /* [any] A static table for one of the CF_CAP_ ids, or NULL. May itself be NULL. */
  const void*(CF_CALL* get_capability)(const cf_info* self, const char* id);
} cf_metric;

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif
