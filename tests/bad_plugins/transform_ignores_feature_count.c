/* Defect: apply ignores columns that were not there in training. */
#include "broken_transform.h"

static cf_status CF_CALL BadApply(const cf_call* call, const cf_model* model, const cf_table* rows,
                                  const cf_column_sink* out) {
  const WorkingMeans* learned = (const WorkingMeans*)(const void*)model;
  cf_table known = *rows;
  if (known.n_features > learned->n_features) known.n_features = learned->n_features;
  return WorkingTransformApply(call, model, &known, out);
}

static void Break(cf_transform* transform) { transform->apply = BadApply; }
