/* Defect: apply uses what the last fit left in a static variable. */
#include "broken_transform.h"

enum { kMost = 100 };
static double last_means[kMost];
static WorkingMeans last = {0, last_means};

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  const cf_status status = WorkingTransformFit(call, args, n_args, train, out);
  int64_t j;
  if (status != CF_OK) return status;
  last.n_features = train->n_features;
  for (j = 0; j < train->n_features && j < kMost; ++j) {
    last.means[j] = ((const WorkingMeans*)(const void*)*out)->means[j];
  }
  return CF_OK;
}

static cf_status CF_CALL BadApply(const cf_call* call, const cf_model* model, const cf_table* rows,
                                  const cf_column_sink* out) {
  (void)model;
  return WorkingTransformApply(call, (const cf_model*)(const void*)&last, rows, out);
}

static void Break(cf_transform* transform) {
  transform->info.threading = CF_MT_NONE;
  transform->fit = BadFit;
  transform->apply = BadApply;
}
