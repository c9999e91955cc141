/* Defect: columns that are constant in the rows of the call are left out. */
#include "broken_transform.h"

static cf_status CF_CALL BadApply(const cf_call* call, const cf_model* model, const cf_table* rows,
                                  const cf_column_sink* out) {
  const WorkingMeans* learned = (const WorkingMeans*)(const void*)model;
  int64_t j, i;
  for (j = 0; j < rows->n_features; ++j) {
    const cf_column* column = &rows->features[j];
    int is_constant = rows->n_rows > 0;
    cf_status status;
    for (i = 1; i < rows->n_rows && is_constant; ++i) {
      is_constant = WorkingNumber(rows, column, i) == WorkingNumber(rows, column, 0);
    }
    if (is_constant) continue;
    status = WorkingEmit(call, rows, j, learned->means[j], out);
    if (status != CF_OK) return status;
  }
  return CF_OK;
}

static void Break(cf_transform* transform) { transform->apply = BadApply; }
