/* Defect: numbers are divided by a deviation that fit never computes. */
#include "broken_transform.h"

static cf_status CF_CALL BadApply(const cf_call* call, const cf_model* model, const cf_table* rows,
                                  const cf_column_sink* out) {
  const WorkingMeans* learned = (const WorkingMeans*)(const void*)model;
  const double deviation = learned->means[learned->n_features]; /* one after the means */
  int64_t i, j;
  for (j = 0; j < rows->n_features && j < learned->n_features; ++j) {
    const cf_column* column = &rows->features[j];
    double* made;
    if (column->dtype == CF_CAT32) {
      const cf_status status = out->pass_column(out, j);
      if (status != CF_OK) return status;
      continue;
    }
    made = (double*)out->add_column(out, column->name, CF_F64, NULL, 0, 0, NULL);
    if (made == NULL) {
      call->host->fail(call, CF_E_OUT_OF_MEMORY, "no memory for a column");
      return CF_E_OUT_OF_MEMORY;
    }
    for (i = 0; i < rows->n_rows; ++i) {
      made[i] = (WorkingNumber(rows, column, i) - learned->means[j]) / deviation;
    }
  }
  return CF_OK;
}

static void Break(cf_transform* transform) { transform->apply = BadApply; }
