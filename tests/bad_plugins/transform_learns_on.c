/* Defect: apply goes on learning: huge rows move the means that it takes away. */
#include "broken_transform.h"

static cf_status CF_CALL BadApply(const cf_call* call, const cf_model* model, const cf_table* rows,
                                  const cf_column_sink* out) {
  const WorkingMeans* learned = (const WorkingMeans*)(const void*)model;
  const cf_status status = WorkingTransformApply(call, model, rows, out);
  int64_t j;
  for (j = 0; status == CF_OK && j < rows->n_features; ++j) {
    const cf_column* column = &rows->features[j];
    double mean;
    if (column->dtype == CF_CAT32 || rows->n_rows == 0) continue;
    mean = WorkingMean(rows, column);
    if (fabs(mean) > 10) learned->means[j] = mean;
  }
  return status;
}

static void Break(cf_transform* transform) {
  transform->info.threading = CF_MT_NONE;
  transform->apply = BadApply;
}
