/* Defect: cross_predict trains on the rows that it predicts. */
#include "smoother.h"

static cf_status CF_CALL BadCrossPredict(const cf_call* call, const cf_setting* settings,
                                         size_t n_settings, const cf_table* table,
                                         const int32_t* fold_of_row, int32_t n_folds,
                                         const cf_prepared* prepared, const cf_cross_sink* sink) {
  size_t i;
  int32_t fold;
  (void)prepared;
  for (fold = 0; fold < n_folds; ++fold) {
    cf_table test;
    int64_t* positions;
    if (!TakeRows(call, table, fold_of_row, fold, 1, &test, &positions)) {
      return FailBecause(call, CF_E_OUT_OF_MEMORY, "out of memory");
    }
    for (i = 0; i < n_settings; ++i) {
      const cf_status status =
          PredictFold(call, &settings[i], i, table, &test, positions, fold, sink);
      if (status != CF_OK) return status;
    }
  }
  return CF_OK;
}

static void Break(cf_learner* learner) {
  (void)learner;
  smoother_cross_predict.cross_predict = BadCrossPredict;
}
