/* Defect: load takes whatever bytes there are for a model. */
#include "smoother.h"

static cf_status CF_CALL BadLoad(const cf_call* call, const cf_reader* reader, cf_model** out) {
  size_t n = 0;
  unsigned char* bytes = ReadAll(reader, &n);
  Smoother* s = bytes == NULL ? NULL : Parse(bytes, n);
  free(bytes);
  if (s == NULL) s = (Smoother*)calloc(1, sizeof(Smoother));
  if (s == NULL) return FailBecause(call, CF_E_OUT_OF_MEMORY, "out of memory");
  *out = (cf_model*)s;
  return CF_OK;
}

static void Break(cf_learner* learner) {
  (void)learner;
  smoother_serialize.load = BadLoad;
}
