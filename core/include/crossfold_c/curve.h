/* ROC and other curves of a result.
 * This is a part of crossfold.h, which states the rules. C99. */
#ifndef CROSSFOLD_C_CURVE_H
#define CROSSFOLD_C_CURVE_H

#include "crossfold_c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- curves -------------------------------------------------------------------------------- */

/* Draws a curve of one learner (an index) of a result whose experiment had "keep": "probabilities".
 * `options` is JSON. Columns, figures and numbers are those of result:curve in Lua
 * (docs/curves.md).
 *
 *   { "kind": "roc", "positive": "malignant", "aggregation": "pooled", "points": "corners" }
 *
 * `kind` is "roc", "precision_recall", "det", "calibration", "lift", "cost", "thresholds",
 * "reliability" or "decision".
 * `positive` is a class; default that of the data, else the second of two. `aggregation` is
 * "pooled" (default): the predictions of all splits in one curve; or "vertical": the mean of the
 * ROC curves of the splits. `repeat` and `fold` choose the predictions of one split instead. Other
 * keys: of roc `points`
 * ("all", "corners", "hull"); of calibration `bins`, `binning` ("uniform", "quantile"),
 * `confidence`; of thresholds `costs` ([[tn, fp], [fn, tp]]); of reliability `band`
 * ("consistency", "consistency_resampled", "bootstrap", "none"), `score` ("brier", "log"),
 * `confidence`, `samples`, `seed`; of decision `thresholds` (a list), `prevalence`, `confidence`,
 * `samples`, `seed`; of a vertical average `grid`, `interval` ("normal", "bootstrap"),
 * `confidence`, `samples`, `seed`. */
CROSSFOLD_API crossfold_status crossfold_result_curve(crossfold_context* context,
                                                      const crossfold_result* result,
                                                      size_t learner, const char* options,
                                                      crossfold_curve** curve);

/* A curve as a table. An undefined one has no rows, and its figures are NaN. */
typedef struct crossfold_curve_info {
  uint32_t struct_size;
  uint32_t reserved;
  size_t n_rows, n_columns;
  const char* const* columns; /* names: "fpr" */
  const double* values;       /* n_rows x n_columns, row by row; NaN = there is no number */
  const char* const* figures; /* names: "auc" */
  const double* figure_values;
  size_t n_figures;
  const char* positive;  /* name of the positive class */
  const char* undefined; /* the reason; NULL = the curve is defined */
} crossfold_curve_info;

CROSSFOLD_API crossfold_status crossfold_curve_describe(const crossfold_curve* curve,
                                                        crossfold_curve_info* info);
CROSSFOLD_API void crossfold_curve_destroy(crossfold_curve* curve);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif
