/* @NAME@: subtracts the mean of the training rows and divides by their standard deviation. */
#include <math.h>
#include <stdlib.h>

#include "call.h"
#include "entry.h"

CF_MANIFEST(
    "{\"crossfold\":1,\"abi_minor\":0,\"id\":\"@ID@\",\"version\":\"0.1.0\","
    "\"learners\":[],\"transforms\":[\"@ID@\"],\"splitters\":[],\"metrics\":[]}");

typedef struct change { /* of a numeric column: (x - shift) / divisor */
  double shift, divisor;
} change;

/* What cf_model* points to. */
typedef struct model {
  int64_t n_features;
  change changes[]; /* one a feature; unused for categories */
} model;

static void CF_CALL destroy(cf_model* handle) { free(handle); }

/* The weighted mean of f(x) over the present entries of a feature, where f(x) is x, or with
 * `around` the squared distance from it. Missing entries do not count. */
static double mean_of(const cf_table* train, int64_t j, const double* around) {
  double sum = 0, total = 0;
  int64_t i;
  for (i = 0; i < train->n_rows; ++i) {
    const double weight = train->weights != NULL ? train->weights[i] : 1.0;
    const double x = entry_of(train, i, j);
    if (isnan(x) || weight == 0) continue;
    sum += weight * (around == NULL ? x : (x - *around) * (x - *around));
    total += weight;
  }
  return total > 0 ? sum / total : 0;
}

static cf_status CF_CALL fit(const cf_call* call, const cf_arg* args, size_t n_args,
                             const cf_table* train, cf_model** out) {
  model* m;
  int64_t j;
  *out = NULL;
  if (n_args != 1) return fail(call, CF_E_INVALID_ARGUMENT, "expected one parameter");
  m = malloc(sizeof(model) + (size_t)train->n_features * sizeof(change));
  if (m == NULL) return fail_memory(call);
  m->n_features = train->n_features;
  for (j = 0; j < m->n_features; ++j) {
    const double mean = mean_of(train, j, NULL);
    const double deviation = sqrt(mean_of(train, j, &mean));
    if (!isfinite(mean) || !isfinite(deviation)) {
      free(m);
      return fail(call, CF_E_NUMERIC, "the entries of a feature are too large for a mean");
    }
    m->changes[j].shift = mean;
    m->changes[j].divisor = args[0].value.u.i != 0 && deviation > 0 ? deviation : 1;
  }
  *out = (cf_model*)m;
  return CF_OK;
}

static cf_status CF_CALL apply(const cf_call* call, const cf_model* handle, const cf_table* rows,
                               const cf_column_sink* out) {
  const model* m = (const model*)handle;
  int64_t i, j;
  if (rows->n_features != m->n_features) {
    char text[96];
    snprintf(text, sizeof(text), "the model is for %lld features, the rows have %lld",
             (long long)m->n_features, (long long)rows->n_features);
    return fail(call, CF_E_INVALID_ARGUMENT, text);
  }
  for (j = 0; j < m->n_features; ++j) {
    const cf_column* column = &rows->features[j];
    double* made;
    if (column->dtype == CF_CAT32) {
      const cf_status status = out->pass_column(out, j);
      if (status != CF_OK) return fail(call, status, "the host refused a column");
      continue;
    }
    made = out->add_column(out, column->name, CF_F64, NULL, 0, 0, NULL);
    if (made == NULL) return fail_memory(call);
    for (i = 0; i < rows->n_rows; ++i) { /* a missing entry is NaN and stays NaN */
      made[i] = (entry_of(rows, i, j) - m->changes[j].shift) / m->changes[j].divisor;
      if (isinf(made[i])) {
        return fail(call, CF_E_NUMERIC, "an entry is too large to be divided by the deviation");
      }
    }
  }
  return CF_OK;
}

static const cf_param kScale = {.struct_size = sizeof(cf_param),
                                .name = "scale",
                                .doc = "Divide by the standard deviation.",
                                .type = CF_P_BOOL,
                                .def = {.type = CF_P_BOOL, .u.i = 1}};
static const cf_param* const kParams[] = {&kScale};

static const cf_transform kTransform = {
    .struct_size = sizeof(cf_transform),
    .info = {.id = "@ID@",
             .version = "0.1.0",
             .title = "@NAME@",
             .doc =
                 "Subtracts from every numeric column the mean of the training rows and divides by "
                 "their standard deviation. Missing entries stay missing, categories pass.",
             .params = kParams,
             .n_params = 1,
             .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED,
             .threading = CF_MT_PREDICT},
    .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS | CF_TASK_REGRESSION,
    .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL | CF_ACCEPTS_MISSING |
               CF_ACCEPTS_WEIGHTS | CF_ACCEPTS_NO_FEATURES,
    .fit = fit,
    .apply = apply,
    .destroy = destroy};
static const cf_transform* const kTransforms[] = {&kTransform};

static const cf_plugin kPlugin = {.magic = CF_ABI_MAGIC,
                                  .struct_size = sizeof(cf_plugin),
                                  .abi_major = CF_ABI_MAJOR,
                                  .abi_minor = CF_ABI_MINOR,
                                  .id = "@ID@",
                                  .version = "0.1.0",
                                  .vendor = "@VENDOR@",
                                  .license = "@LICENSE@",
                                  .n_transforms = 1,
                                  .transforms = kTransforms};

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  (void)host_abi_minor;
  (void)host;
  return &kPlugin;
}
