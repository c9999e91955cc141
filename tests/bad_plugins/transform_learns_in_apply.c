/* Defect: apply takes the mean of the rows that it gets, not that of the training rows. */
#include "broken_transform.h"

static cf_status CF_CALL BadApply(const cf_call* call, const cf_model* model, const cf_table* rows,
                                  const cf_column_sink* out) {
  cf_model* learned = NULL;
  cf_status status;
  (void)model;
  if (rows->n_rows == 0) return WorkingTransformApply(call, model, rows, out);
  status = WorkingTransformFit(call, NULL, 0, rows, &learned);
  if (status != CF_OK) return status;
  status = WorkingTransformApply(call, learned, rows, out);
  WorkingTransformDestroy(call->self, learned);
  return status;
}

static void Break(cf_transform* transform) { transform->apply = BadApply; }
