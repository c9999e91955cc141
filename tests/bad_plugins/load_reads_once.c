/* Defect: load takes what the first read gives for all there is. */
#include "smoother.h"

static cf_status CF_CALL BadLoad(const cf_call* call, const cf_reader* reader, cf_model** out) {
  const size_t room = 1 << 20;
  unsigned char* bytes = (unsigned char*)malloc(room);
  const int64_t n = bytes == NULL ? 0 : reader->read(reader->stream, bytes, room);
  *out = n <= 0 ? NULL : (cf_model*)Parse(bytes, (size_t)n);
  free(bytes);
  return *out != NULL ? CF_OK : FailBecause(call, CF_E_BAD_BLOB, "this is not a saved smoother");
}

static void Break(cf_learner* learner) {
  (void)learner;
  smoother_serialize.load = BadLoad;
}
