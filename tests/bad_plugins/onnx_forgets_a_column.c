/* Defect: the graph of a model has no input for its last column. */
#include "smoother.h"

static cf_status CF_CALL BadGraph(const cf_call* call, const cf_model* model,
                                  const cf_table* columns, const cf_writer* writer) {
  static const char kEnd[] = "],\"output\":[{\"name\":\"label\"},{\"name\":\"value\"}]}";
  int64_t j;
  (void)call, (void)model;
  WriteAll(writer, "{\"input\":[", 10);
  for (j = 0; j + 1 < columns->n_features; ++j) {
    char text[32];
    snprintf(text, sizeof(text), "%s{\"name\":\"x%d\"}", j > 0 ? "," : "", (int)j);
    WriteAll(writer, text, strlen(text));
  }
  return WriteAll(writer, kEnd, strlen(kEnd));
}

static cf_cap_onnx bad_onnx = {sizeof(cf_cap_onnx), 0, &BadGraph};

static const void* CF_CALL WithOnnx(const cf_info* self, const char* id) {
  return strcmp(id, CF_CAP_ONNX) == 0 ? &bad_onnx : SmootherCapability(self, id);
}

static void Break(cf_learner* learner) { learner->get_capability = &WithOnnx; }
