/* Defect: apply takes any number of columns. */
#include "broken_transform.h"

static cf_status CF_CALL BadApply(const cf_call* call, const cf_model* model, const cf_table* rows,
                                  const cf_column_sink* out) {
  const WorkingMeans* learned = (const WorkingMeans*)(const void*)model;
  int64_t j;
  for (j = 0; j < rows->n_features; ++j) {
    const double mean = j < learned->n_features ? learned->means[j] : 0;
    const cf_status status = WorkingEmit(call, rows, j, mean, out);
    if (status != CF_OK) return status;
  }
  return CF_OK;
}

static void Break(cf_transform* transform) { transform->apply = BadApply; }
