/* Defect: remove_rows leaves the last of the rows. */
#include "smoother.h"

static cf_status CF_CALL BadRemove(const cf_call* call, cf_model* model, const cf_table* rows) {
  cf_table changed = *rows;
  if (changed.n_rows > 1) --changed.n_rows;
  return SmootherRemoveRows(call, model, &changed);
}

static void Break(cf_learner* learner) {
  (void)learner;
  smoother_incremental.remove_rows = BadRemove;
}
