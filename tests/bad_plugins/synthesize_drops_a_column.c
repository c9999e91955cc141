/* Defect: new rows lack the last column. */
#include "broken_transform.h"

#include <string.h>

static cf_status CF_CALL SameRows(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_table* train, const cf_row_sink* out) {
  int64_t* positions = (int64_t*)malloc(((size_t)train->n_rows + 1) * sizeof(int64_t));
  int64_t i;
  cf_status status;
  (void)args, (void)n_args;
  if (positions == NULL) {
    call->host->fail(call, CF_E_OUT_OF_MEMORY, "no memory for the rows");
    return CF_E_OUT_OF_MEMORY;
  }
  for (i = 0; i < train->n_rows; ++i) positions[i] = i;
  status = out->emit_rows(out, positions, train->n_rows, NULL);
  free(positions);
  return status;
}

static cf_status CF_CALL BadSynthesize(const cf_call* call, const cf_arg* args, size_t n_args,
                                       const cf_table* train, const int64_t* positions, int64_t n,
                                       const cf_column_sink* out) {
  cf_status status = CF_OK;
  int64_t j;
  (void)call, (void)args, (void)n_args, (void)positions, (void)n;
  for (j = 0; status == CF_OK && j + 1 < train->n_features; ++j) status = out->pass_column(out, j);
  return status;
}

static const void* CF_CALL BadCapability(const cf_info* self, const char* id) {
  (void)self;
  static const cf_cap_resample resample = {sizeof(cf_cap_resample), 0, &SameRows};
  static const cf_cap_synthesize synthesize = {sizeof(cf_cap_synthesize), 0, &BadSynthesize};
  if (strcmp(id, CF_CAP_RESAMPLE) == 0) return &resample;
  return strcmp(id, CF_CAP_SYNTHESIZE) == 0 ? &synthesize : NULL;
}

static void Break(cf_transform* transform) { transform->get_capability = BadCapability; }
