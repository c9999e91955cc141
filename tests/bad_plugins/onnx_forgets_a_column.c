/* Defect: the graph of a model has no input for its last column. */
#include "smoother.h"

static cf_status CF_CALL BadGraph(const cf_call* call, const cf_model* model,
                                  const cf_table* columns, const cf_writer* writer) {
  (void)call, (void)model;
  return WriteGraph(writer, columns->n_features - 1);
}

static cf_cap_onnx bad_onnx = {sizeof(cf_cap_onnx), 0, &BadGraph};

static const void* CF_CALL WithOnnx(const cf_info* self, const char* id) {
  return strcmp(id, CF_CAP_ONNX) == 0 ? &bad_onnx : SmootherCapability(self, id);
}

static void Break(cf_learner* learner) { learner->get_capability = &WithOnnx; }
