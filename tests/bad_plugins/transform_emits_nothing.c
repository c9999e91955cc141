/* Defect: apply emits no column. */
#include "broken_transform.h"

static cf_status CF_CALL BadApply(const cf_call* call, const cf_model* model, const cf_table* rows,
                                  const cf_column_sink* out) {
  (void)call, (void)model, (void)rows, (void)out;
  return CF_OK;
}

static void Break(cf_transform* transform) { transform->apply = BadApply; }
