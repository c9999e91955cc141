/* A plugin of today, and of the plugin ABI 1.1 that newer_headers.cmake makes. The label that its
 * plain learner predicts is 1 if the host gives the field that 1.1 appended to cf_call. */
#include <crossfold_plugin.h>

#if CF_ABI_MINOR > 0
CF_MANIFEST(
    "{\"crossfold\":1,\"abi_minor\":1,\"id\":\"two.hosts\",\"version\":\"1.0.0\",\"learners\":"
    "[\"two.plain\",\"two.type\",\"two.flag\"],\"metrics\":[\"two.needs\"],"
    "\"splitters\":[\"two.absent\"],\"explainers\":[\"two.explainer\"]}");
#else
CF_MANIFEST(
    "{\"crossfold\":1,\"abi_minor\":0,\"id\":\"two.hosts\",\"version\":\"1.0.0\",\"learners\":"
    "[\"two.plain\"]}");
#endif

struct cf_model {
  int unused;
};

static cf_status CF_CALL fit(const cf_call* call, const cf_arg* args, size_t n_args,
                             const cf_table* train, cf_model** out) {
  static cf_model model;
  (void)call, (void)args, (void)n_args, (void)train;
  *out = &model;
  return CF_OK;
}

static cf_status CF_CALL predict(const cf_call* call, const cf_model* model, const cf_table* rows,
                                 cf_prediction* out) {
  int64_t i;
  (void)model;
  for (i = 0; i < rows->n_rows; ++i) {
#if CF_ABI_MINOR > 0
    out->labels[i] = CF_HAS(call, cf_call, deadline);
#else
    out->labels[i] = call->self->data != NULL;
#endif
  }
  return CF_OK;
}

static void CF_CALL destroy(const cf_info* self, cf_model* model) { (void)self, (void)model; }

#define LEARNER(name, list, n)                                                              \
  {                                                                                         \
    .struct_size = sizeof(cf_learner),                                                      \
    .info = {.id = name,                                                                    \
             .version = "1.0.0",                                                            \
             .params = list,                                                                \
             .n_params = n,                                                                 \
             .determinism = CF_DET_SEEDED,                                                  \
             .threading = CF_MT_PREDICT},                                                   \
    .tasks = CF_TASK_BINARY, .accepts = CF_ACCEPTS_NUMERIC, .fit = fit, .predict = predict, \
    .destroy = destroy                                                                      \
  }
static const cf_learner kPlain = LEARNER("two.plain", NULL, 0);

#if CF_ABI_MINOR > 0
static cf_status CF_CALL score(const cf_call* call, const cf_arg* args, size_t n_args,
                               const cf_metric_input* input, double* value) {
  (void)call, (void)args, (void)n_args, (void)input;
  *value = 0;
  return CF_OK;
}

static const cf_param kMatrix = {.struct_size = sizeof(cf_param),
                                 .name = "start",
                                 .type = CF_P_MATRIX,
                                 .def = {.type = CF_P_MATRIX}};
static const cf_param kPeriodic = {.struct_size = sizeof(cf_param),
                                   .flags = CF_PF_PERIODIC,
                                   .name = "angle",
                                   .type = CF_P_REAL,
                                   .def = {.type = CF_P_REAL},
                                   .hi = 360};
static const cf_param* const kMatrixList[] = {&kMatrix};
static const cf_param* const kPeriodicList[] = {&kPeriodic};
static const cf_learner kType = LEARNER("two.type", kMatrixList, 1);
static const cf_learner kFlag = LEARNER("two.flag", kPeriodicList, 1);
static const cf_metric kNeeds = {.struct_size = sizeof(cf_metric),
                                 .needs = CF_NEEDS_LABELS | CF_NEEDS_TIMES,
                                 .info = {.id = "two.needs", .version = "1.0.0"},
                                 .tasks = CF_TASK_BINARY,
                                 .score = score};
static const cf_learner* const kLearners[] = {&kFlag, &kPlain, &kType}; /* not as the manifest */
static const cf_metric* const kMetrics[] = {&kNeeds};
#else
static const cf_learner* const kLearners[] = {&kPlain};
#endif

static const cf_plugin kPlugin = {.magic = CF_ABI_MAGIC,
                                  .struct_size = sizeof(cf_plugin),
                                  .abi_major = CF_ABI_MAJOR,
                                  .abi_minor = CF_ABI_MINOR,
                                  .id = "two.hosts",
                                  .version = "1.0.0",
                                  .vendor = "The Crossfold Authors",
                                  .license = "MIT",
                                  .n_learners = sizeof(kLearners) / sizeof(kLearners[0]),
                                  .learners = kLearners,
#if CF_ABI_MINOR > 0
                                  .n_metrics = 1,
                                  .metrics = kMetrics
#endif
};

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  (void)host_abi_minor, (void)host;
  return &kPlugin;
}
