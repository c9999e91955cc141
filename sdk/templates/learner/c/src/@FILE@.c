/* @NAME@: predicts the class whose mean of the training rows is nearest (nearest centroid). */
#include <math.h>
#include <stdlib.h>

#include "call.h"
#include "entry.h"

CF_MANIFEST(
    "{\"crossfold\":1,\"abi_minor\":0,\"id\":\"@ID@\",\"version\":\"0.1.0\","
    "\"learners\":[\"@ID@\"],\"transforms\":[],\"splitters\":[],\"metrics\":[]}");

/* What cf_model* points to. */
typedef struct model {
  int64_t n_features, n_classes;
  double* means; /* a row a class; NaN for a class without training rows */
} model;

static void CF_CALL destroy(cf_model* handle) {
  model* m = (model*)handle;
  if (m == NULL) return;
  free(m->means);
  free(m);
}

static model* new_model(int64_t n_features, int64_t n_classes) {
  model* m = malloc(sizeof(model));
  if (m == NULL) return NULL;
  m->n_features = n_features;
  m->n_classes = n_classes;
  m->means = calloc((size_t)(n_features * n_classes) + 1, sizeof(double));
  if (m->means != NULL) return m;
  free(m);
  return NULL;
}

/* Adds the weighted rows up, by class. `weights` gets the weight of each class. */
static cf_status add_rows(const cf_call* call, const cf_table* train, model* m, double* weights) {
  int64_t i, j;
  for (i = 0; i < train->n_rows; ++i) {
    const double weight = train->weights != NULL ? train->weights[i] : 1.0;
    const int64_t at = train->rows != NULL ? train->rows[i] : i;
    const int32_t label = ((const int32_t*)train->target->data)[at];
    if (weight == 0) continue;
    weights[label] += weight;
    for (j = 0; j < m->n_features; ++j) {
      const double x = entry_of(train, i, j);
      if (isnan(x)) return fail(call, CF_E_UNSUPPORTED_DATA, "a feature has a missing entry");
      m->means[label * m->n_features + j] += weight * x;
    }
  }
  return CF_OK;
}

/* Makes means of sums, and moves them to the mean of all rows. */
static cf_status divide(const cf_call* call, model* m, const double* weights, double shrink) {
  double total = 0;
  int64_t c, j;
  for (c = 0; c < m->n_classes; ++c) total += weights[c];
  if (total == 0) return fail(call, CF_E_UNSUPPORTED_DATA, "no training row has a weight above 0");
  for (j = 0; j < m->n_features; ++j) {
    double middle = 0;
    for (c = 0; c < m->n_classes; ++c) middle += m->means[c * m->n_features + j];
    middle /= total;
    if (!isfinite(middle)) return fail(call, CF_E_NUMERIC, "the mean of a feature is too large");
    for (c = 0; c < m->n_classes; ++c) {
      double* mean = &m->means[c * m->n_features + j];
      *mean = weights[c] > 0 ? *mean / weights[c] : NAN;
      *mean += shrink * (middle - *mean);
    }
  }
  return CF_OK;
}

static cf_status CF_CALL fit(const cf_call* call, const cf_arg* args, size_t n_args,
                             const cf_table* train, cf_model** out) {
  cf_status status;
  double* weights;
  model* m;
  *out = NULL;
  if (n_args != 1 || train->target == NULL) {
    return fail(call, CF_E_INVALID_ARGUMENT, "expected a target and one parameter");
  }
  weights = scratch(call, train->target->n_levels, sizeof(double));
  m = new_model(train->n_features, train->target->n_levels);
  if (weights == NULL || m == NULL) {
    destroy((cf_model*)m);
    return fail_memory(call);
  }
  status = add_rows(call, train, m, weights);
  if (status == CF_OK) status = divide(call, m, weights, args[0].value.u.r);
  if (status == CF_OK) {
    *out = (cf_model*)m;
  } else {
    destroy((cf_model*)m);
  }
  return status;
}

/* The class with the nearest mean; ties to the lower index; -1 if an entry is missing. */
static int32_t nearest_class(const model* m, const cf_table* rows, int64_t i) {
  double nearest = INFINITY;
  int32_t best = -1;
  int64_t c, j;
  for (c = 0; c < m->n_classes; ++c) {
    double distance = 0; /* squared; NaN for a class without training rows */
    for (j = 0; j < m->n_features; ++j) {
      const double d = entry_of(rows, i, j) - m->means[c * m->n_features + j];
      distance += d * d;
    }
    if (!isnan(distance) && (distance < nearest || best < 0)) {
      nearest = distance;
      best = (int32_t)c;
    }
  }
  return best;
}

static cf_status CF_CALL predict(const cf_call* call, const cf_model* handle, const cf_table* rows,
                                 cf_prediction* out) {
  const model* m = (const model*)handle;
  int64_t i;
  if (out->labels == NULL) return fail(call, CF_E_UNSUPPORTED, "this learner predicts labels only");
  if (rows->n_features != m->n_features) {
    char text[96];
    snprintf(text, sizeof(text), "the model is for %lld features, the rows have %lld",
             (long long)m->n_features, (long long)rows->n_features);
    return fail(call, CF_E_INVALID_ARGUMENT, text);
  }
  for (i = 0; i < rows->n_rows; ++i) {
    out->labels[i] = nearest_class(m, rows, i);
    if (out->labels[i] < 0) return fail(call, CF_E_UNSUPPORTED_DATA, "a row has a missing entry");
  }
  return CF_OK;
}

static const cf_param kShrink = {
    .struct_size = sizeof(cf_param),
    .name = "shrink",
    .doc = "How far the means of the classes move to the mean of all rows; 1 = all the way.",
    .type = CF_P_REAL,
    .def = {.type = CF_P_REAL, .u.r = 0.0},
    .lo = 0.0,
    .hi = 1.0};
static const cf_param* const kParams[] = {&kShrink};

static const cf_learner kLearner = {
    .struct_size = sizeof(cf_learner),
    .info = {.id = "@ID@",
             .version = "0.1.0",
             .title = "@NAME@",
             .doc =
                 "The class whose mean of the training rows is nearest in Euclidean distance; ties "
                 "to the lower class index.",
             .params = kParams,
             .n_params = 1,
             .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED,
             .threading = CF_MT_PREDICT},
    .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
    .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_WEIGHTS,
    .fit = fit,
    .predict = predict,
    .destroy = destroy};
static const cf_learner* const kLearners[] = {&kLearner};

static const cf_plugin kPlugin = {.magic = CF_ABI_MAGIC,
                                  .struct_size = sizeof(cf_plugin),
                                  .abi_major = CF_ABI_MAJOR,
                                  .abi_minor = CF_ABI_MINOR,
                                  .id = "@ID@",
                                  .version = "0.1.0",
                                  .vendor = "@VENDOR@",
                                  .license = "@LICENSE@",
                                  .n_learners = 1,
                                  .learners = kLearners};

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  (void)host_abi_minor;
  (void)host;
  return &kPlugin;
}
