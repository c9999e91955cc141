/* Defect: by blocks it is the mean of the blocks, not that of all rows. */
#include "broken_metric.h"

#include <stdlib.h>
#include <string.h>

/* What cf_accumulator is here. */
typedef struct Sum {
  double values;
  int64_t n_blocks;
} Sum;

static cf_status CF_CALL Begin(const cf_call* call, const cf_arg* args, size_t n_args,
                               const cf_metric_input* about, cf_accumulator** out) {
  (void)args, (void)n_args, (void)about;
  *out = (cf_accumulator*)calloc(1, sizeof(Sum));
  if (*out != NULL) return CF_OK;
  call->host->fail(call, CF_E_OUT_OF_MEMORY, "out of memory");
  return CF_E_OUT_OF_MEMORY;
}

static cf_status CF_CALL Add(const cf_call* call, cf_accumulator* accumulator,
                             const cf_metric_input* block) {
  Sum* sum = (Sum*)accumulator;
  double value = 0;
  const cf_status status = WorkingScore(call, NULL, 0, block, &value);
  sum->values += value;
  ++sum->n_blocks;
  return status;
}

static cf_status CF_CALL Finish(const cf_call* call, cf_accumulator* accumulator, double* value) {
  const Sum* sum = (const Sum*)accumulator;
  if (sum->n_blocks == 0) {
    call->host->fail(call, CF_E_UNDEFINED, "no row has a weight");
    return CF_E_UNDEFINED;
  }
  *value = sum->values / (double)sum->n_blocks;
  return CF_OK;
}

static void CF_CALL DestroySum(const cf_info* self, cf_accumulator* accumulator) {
  (void)self;
  free(accumulator);
}

static const void* CF_CALL BadCapability(const cf_info* self, const char* id) {
  (void)self;
  static const cf_cap_accumulate accumulate = {
      sizeof(cf_cap_accumulate), 0, &Begin, &Add, &Finish, &DestroySum};
  return strcmp(id, CF_CAP_ACCUMULATE) == 0 ? &accumulate : NULL;
}

static void Break(cf_metric* metric) { metric->get_capability = BadCapability; }
