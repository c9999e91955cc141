/* Defect: load reads past the end if the last bytes are missing. */
#include "smoother.h"

static cf_status CF_CALL BadLoad(const cf_call* call, const cf_reader* reader, cf_model** out) {
  size_t n = 0;
  unsigned char* bytes = ReadAll(reader, &n);
  SavedHead head;
  Smoother* s;
  *out = NULL;
  if (bytes == NULL || n < sizeof(head) || memcmp(bytes, "SMOOTHER", 8) != 0) {
    free(bytes);
    return FailBecause(call, CF_E_BAD_BLOB, "this is not a saved smoother");
  }
  memcpy(&head, bytes, sizeof(head));
  if (n < SavedSize(&head) + 8 && n + 64 > SavedSize(&head)) abort(); /* what it may come to */
  s = Parse(bytes, n);
  free(bytes);
  *out = (cf_model*)s;
  return s != NULL ? CF_OK : FailBecause(call, CF_E_BAD_BLOB, "this is not a saved smoother");
}

static void Break(cf_learner* learner) {
  (void)learner;
  smoother_serialize.load = BadLoad;
}
