/* @NAME@: shuffles the rows and deals them into folds (k-fold cross-validation). */
#include <crossfold_c.h>

static const cf_param kFolds = CF_INT("folds", 5, 2, 1000000, "Number of folds.");

static cf_status split(const cf_call* call, cf_args args, const cf_split_input* rows,
                       const cf_split_sink* out) {
  const int64_t folds = cf_int(args, &kFolds), n = rows->n_rows;
  int64_t* order = cf_scratch(call, n, sizeof(int64_t));
  int32_t* fold_of_row = cf_scratch(call, n, sizeof(int32_t));
  if (order == NULL || fold_of_row == NULL) return CF_E_OUT_OF_MEMORY;
  if (folds > n) { /* it never gives fewer than requested */
    return cf_fail(call, CF_E_INVALID_PARAM, "%lld folds exceed the %lld rows; use fewer folds",
                   (long long)folds, (long long)n);
  }
  if (rows->groups != NULL) { /* their rows must stay together */
    return cf_fail(call, CF_E_UNSUPPORTED_DATA,
                   "the data have groups; use a splitter that keeps them together");
  }
  for (int64_t i = 0; i < n; ++i) { /* random order (Fisher and Yates) */
    const int64_t other = cf_below(call, i + 1);
    order[i] = order[other];
    order[other] = i;
  }
  for (int64_t i = 0; i < n; ++i) fold_of_row[order[i]] = (int32_t)(i % folds);
  return out->emit_partition(out, fold_of_row, n, (int32_t)folds);
}

CF_SPLITTER_PLUGIN("@ID@", "0.1.0", "@VENDOR@", "@LICENSE@", "@NAME@",
                   "Shuffles the rows and deals them into folds like cards: sizes differ by at most "
                   "one. Each fold is the test set once. Refuses data with groups.",
                   CF_DET_SEEDED | CF_DET_THREADS, 0, split, &kFolds)
