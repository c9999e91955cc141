/* Defect: apply centers the numbers where they are. */
#include "broken_transform.h"

static cf_status CF_CALL BadApply(const cf_call* call, const cf_model* model, const cf_table* rows,
                                  const cf_column_sink* out) {
  int64_t i, j;
  for (j = 0; j < rows->n_features; ++j) {
    if (rows->features[j].dtype != CF_F64) continue;
    for (i = 0; i < rows->n_rows; ++i) {
      const int64_t row = rows->rows == NULL ? i : rows->rows[i];
      volatile double* entries = (volatile double*)(uintptr_t)rows->features[j].data;
      entries[row] = entries[row];
    }
  }
  return WorkingTransformApply(call, model, rows, out);
}

static void Break(cf_transform* transform) { transform->apply = BadApply; }
