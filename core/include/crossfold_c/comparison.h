/* Which of the learners of a result is better.
 * This is a part of crossfold.h, which states the rules. C99. */
#ifndef CROSSFOLD_C_COMPARISON_H
#define CROSSFOLD_C_COMPARISON_H

#include "crossfold_c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- comparisons --------------------------------------------------------------------------- */

/* Compares the learners of a result in pairs by a test that is valid for the splits
 * (docs/comparing.md): the corrected resampled t over several splits, McNemar's test on the rows of
 * one split. `options` is JSON; NULL = the defaults. The numbers are those of cf.compare in Lua.
 *
 *   { "metric": "accuracy", "learners": ["knn", "bayes", "floor"], "control": "floor",
 *     "test": "corrected_t", "alpha": 0.05, "confidence": 0.95, "rope": 0.01, "adjust": "holm" }
 *
 * `metric` may be left out if there is one; `learners` defaults to all, and all pairs of them are
 * compared, or with `control` every other one with that. `test` is "corrected_t", "mcnemar",
 * "five_by_two_t" or "five_by_two_f"; a test that is not valid for the splits is refused. `rope` is
 * the half-width of the region of practical equivalence and defaults to 0.01 for metrics from 0
 * to 1. `adjust` is "bonferroni", "holm", "hochberg" or "benjamini_hochberg". */
CROSSFOLD_API crossfold_status crossfold_result_compare(crossfold_context* context,
                                                        const crossfold_result* result,
                                                        const char* options,
                                                        crossfold_comparison** comparison);
/* The number of pairs. */
CROSSFOLD_API size_t crossfold_comparison_count(const crossfold_comparison* comparison);

/* Learners a and b compared. Differences are a - b. A number that does not exist is NaN. */
typedef struct crossfold_pair {
  uint32_t struct_size;
  int32_t better;               /* 1 = a, -1 = b, 0 = neither was shown to be better */
  size_t a, b;                  /* learners of the result */
  const char* test;             /* for people: "corrected resampled t" */
  int64_t splits, splits_of;    /* with a score of both; all */
  double mean_a, mean_b;        /* over the splits with a score of both */
  double difference, low, high; /* with its interval */
  double statistic, df;
  double p, p_adjusted;              /* two-sided; adjusted over the pairs */
  double rope;                       /* half-width of the region of practical equivalence */
  double p_worse, p_alike, p_better; /* probabilities that a is so */
  int64_t rows, only_a, only_b; /* tested rows, and those on which one is right; 0 = not counted */
  const char* undefined;        /* why there is no p, or why it is a convention; NULL = neither */
  const char* left_out;         /* why splits were left out; NULL = none were */
} crossfold_pair;

/* Pairs are in the order of the learners. */
CROSSFOLD_API crossfold_status crossfold_comparison_pair(const crossfold_comparison* comparison,
                                                         size_t index, crossfold_pair* pair);
CROSSFOLD_API void crossfold_comparison_destroy(crossfold_comparison* comparison);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif
