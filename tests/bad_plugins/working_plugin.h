/* A plugin with one learner and no defect, and what plugins of every kind begin with. */
#ifndef CROSSFOLD_TESTS_WORKING_PLUGIN_H
#define CROSSFOLD_TESTS_WORKING_PLUGIN_H

#include <crossfold_plugin.h>
#include <math.h>

/* Plugin and learner have the same id. */
#define WORKING_MANIFEST(ID)                      \
  "{\"crossfold\":1,\"abi_minor\":0,\"id\":\"" ID \
  "\",\"version\":\"1.0.0\",\"learners\":"        \
  "[\"" ID "\"],\"transforms\":[],\"splitters\":[],\"metrics\":[]}"

static inline cf_status FailBecause(const cf_call* call, cf_status code, const char* why) {
  return call->host->fail(call, code, why);
}

static inline int WorkingIsPresent(const cf_column* column, int64_t entry) {
  const int64_t bit = column->validity_offset + entry;
  return column->validity == NULL || (column->validity[bit / 8] >> (bit % 8) & 1) != 0;
}

/* Entry of the column's buffer; NaN if it is missing. */
static inline double WorkingEntry(const cf_column* column, int64_t entry) {
  if (!WorkingIsPresent(column, entry)) return NAN;
  switch (column->dtype) {
    case CF_F32:
      return ((const float*)column->data)[entry];
    case CF_I32:
      return ((const int32_t*)column->data)[entry];
    case CF_I64:
      return (double)((const int64_t*)column->data)[entry];
    case CF_BOOL8:
      return ((const uint8_t*)column->data)[entry];
    case CF_CAT32: {
      const int32_t code = ((const int32_t*)column->data)[entry];
      return code < 0 ? NAN : code;
    }
    default:
      return ((const double*)column->data)[entry];
  }
}

static inline cf_status CF_CALL WorkingFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                           const cf_table* train, cf_model** out) {
  static char model;
  (void)call, (void)args, (void)n_args, (void)train;
  *out = (cf_model*)(void*)&model;
  return CF_OK;
}

static inline cf_status CF_CALL WorkingPredict(const cf_call* call, const cf_model* model,
                                               const cf_table* rows, cf_prediction* out) {
  int64_t i;
  (void)call, (void)model, (void)rows;
  for (i = 0; i < out->n_rows; ++i) out->labels[i] = 0;
  return CF_OK;
}

static inline void CF_CALL WorkingDestroy(const cf_info* self, cf_model* model) {
  (void)self, (void)model;
}

static inline void FillLearner(cf_learner* learner, const char* id) {
  learner->struct_size = sizeof(cf_learner);
  learner->info.id = id;
  learner->info.version = "1.0.0";
  learner->info.title = "First class";
  learner->info.doc = "Every row gets the first class.";
  learner->info.threading = CF_MT_PREDICT;
  learner->tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS;
  learner->accepts = CF_ACCEPTS_NUMERIC;
  learner->fit = WorkingFit;
  learner->predict = WorkingPredict;
  learner->destroy = WorkingDestroy;
}

/* A plugin without components. */
static inline cf_plugin* EmptyPlugin(const char* id) {
  static cf_plugin plugin;
  plugin.magic = CF_ABI_MAGIC;
  plugin.struct_size = sizeof(cf_plugin);
  plugin.abi_major = CF_ABI_MAJOR;
  plugin.abi_minor = CF_ABI_MINOR;
  plugin.id = id;
  plugin.version = "1.0.0";
  plugin.vendor = "The Crossfold Authors";
  plugin.license = "MIT";
  return &plugin;
}

/* A plugin of this learner, of the same id. */
static inline cf_plugin* PluginOf(cf_learner* learner, const char* id) {
  static const cf_learner* learners[1];
  cf_plugin* plugin = EmptyPlugin(id);
  learners[0] = learner;
  plugin->n_learners = 1;
  plugin->learners = learners;
  return plugin;
}

/* The smallest learner as a plugin. */
static inline cf_plugin* WorkingPlugin(const char* id) {
  static cf_learner learner;
  FillLearner(&learner, id);
  return PluginOf(&learner, id);
}

#endif
