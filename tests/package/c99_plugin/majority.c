/* A learner in C99, without the C++ wrapper: always the class that most training rows have. It
 * shows every part that a plugin in another language needs. */
#include <crossfold_plugin.h>
#include <stdlib.h>

CF_MANIFEST(
    "{\"crossfold\":1,\"abi_minor\":0,\"id\":\"org.example.c99\",\"version\":\"1.0.0\","
    "\"learners\":[\"org.example.majority\"],\"transforms\":[],\"splitters\":[],\"metrics\":[]}");

/* What cf_model* points to. */
typedef struct majority {
  int32_t label;
} majority;

static cf_status fail(const cf_call* call, cf_status code, const char* message) {
  if (CF_HAS(call->host, cf_host, fail) && call->host->fail != NULL) {
    call->host->fail(call, code, message);
  }
  return code;
}

/* The most frequent class; ties to the lower index. */
static int32_t most_frequent(const double* weight_of_class, int64_t n_classes) {
  int32_t best = 0;
  int64_t c;
  for (c = 1; c < n_classes; ++c) {
    if (weight_of_class[c] > weight_of_class[best]) best = (int32_t)c;
  }
  return best;
}

static cf_status CF_CALL majority_fit(const cf_call* call, const cf_arg* args, size_t n_args,
                                      const cf_table* train, cf_model** out) {
  const cf_column* target = train->target;
  double* weight_of_class;
  majority* model;
  int64_t i;
  (void)args;
  *out = NULL;
  if (n_args != 0 || target == NULL) {
    return fail(call, CF_E_INVALID_ARGUMENT, "expected a target and no parameters");
  }
  weight_of_class = calloc((size_t)target->n_levels, sizeof(double));
  model = malloc(sizeof(majority));
  if (weight_of_class == NULL || model == NULL) {
    free(weight_of_class);
    free(model);
    return fail(call, CF_E_OUT_OF_MEMORY, "out of memory");
  }
  for (i = 0; i < train->n_rows; ++i) {
    const int64_t row = train->rows != NULL ? train->rows[i] : i;
    const int32_t label = ((const int32_t*)target->data)[row];
    weight_of_class[label] += train->weights != NULL ? train->weights[i] : 1.0;
  }
  model->label = most_frequent(weight_of_class, target->n_levels);
  free(weight_of_class);
  *out = (cf_model*)model;
  return CF_OK;
}

static cf_status CF_CALL majority_predict(const cf_call* call, const cf_model* model,
                                          const cf_table* rows, cf_prediction* out) {
  int64_t i;
  if (out->labels == NULL) return fail(call, CF_E_UNSUPPORTED, "this learner predicts labels only");
  for (i = 0; i < rows->n_rows; ++i) out->labels[i] = ((const majority*)model)->label;
  return CF_OK;
}

static void CF_CALL majority_destroy(const cf_info* self, cf_model* model) {
  (void)self;
  free(model);
}

static const cf_learner kMajority = {
    sizeof(cf_learner),
    0,
    {"org.example.majority", "1.0.0", "majority class", "Always the most frequent class.", NULL,
     NULL, 0, CF_DET_SEEDED | CF_DET_THREADS | CF_DET_ROW_ORDER, 0, CF_MT_PREDICT, 0, NULL},
    CF_TASK_BINARY | CF_TASK_MULTICLASS,
    CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL | CF_ACCEPTS_MISSING | CF_ACCEPTS_WEIGHTS |
        CF_ACCEPTS_NO_FEATURES,
    majority_fit,
    majority_predict,
    majority_destroy,
    NULL};

static const cf_learner* const kLearners[] = {&kMajority};

static const cf_plugin kPlugin = {CF_ABI_MAGIC,
                                  sizeof(cf_plugin),
                                  CF_ABI_MAJOR,
                                  CF_ABI_MINOR,
                                  "org.example.c99",
                                  "1.0.0",
                                  "Example Org",
                                  "MIT",
                                  NULL,
                                  1,
                                  kLearners, /* learners */
                                  0,
                                  NULL, /* transforms */
                                  0,
                                  NULL, /* splitters */
                                  0,
                                  NULL, /* metrics */
                                  0,
                                  NULL,  /* sources */
                                  NULL}; /* get_factory */

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  (void)host_abi_minor;
  (void)host;
  return &kPlugin;
}
