/* Defect: the text of a model has its address in it. */
#include "smoother.h"

static cf_status CF_CALL BadExport(const cf_call* call, const cf_model* model, size_t format,
                                   const cf_writer* writer) {
  static int n_exports;
  char text[32];
  (void)call, (void)model, (void)format;
  snprintf(text, sizeof(text), "model %d\n", ++n_exports);
  return WriteAll(writer, text, strlen(text));
}

static void Break(cf_learner* learner) {
  (void)learner;
  smoother_export.export_model = BadExport;
}
