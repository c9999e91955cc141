/* Nearest centroid in C99 that is also C++11. centroid.cpp and centroid.rs do the same sums in the
 * same order: built by any compiler, they predict the same bytes. PLUGIN is the id. */
#include <crossfold_plugin.h>
#include <stdlib.h>

CF_MANIFEST("{\"crossfold\":1,\"abi_minor\":0,\"id\":\"" PLUGIN
            "\",\"version\":\"1.0.0\","
            "\"learners\":[\"" PLUGIN
            ".centroid\"],\"transforms\":[],\"splitters\":[],"
            "\"metrics\":[]}");

typedef struct centroids {
  int64_t n_classes, n_features;
  int32_t is_manhattan;
  double* center;  /* n_classes x n_features */
  int64_t* n_rows; /* training rows of each class */
} centroids;

enum { kShrink, kJitter, kDistance, kFail, kParams };

static cf_status fail(const cf_call* call, cf_status code, const char* message) {
  if (CF_HAS(call->host, cf_host, fail)) call->host->fail(call, code, message);
  return code;
}

static void CF_CALL destroy(const cf_info* self, cf_model* model) {
  (void)self;
  centroids* m = (centroids*)model;
  if (m == NULL) return;
  free(m->center);
  free(m->n_rows);
  free(m);
}

static double entry(const cf_table* table, int64_t row, int64_t feature) {
  const int64_t at = table->rows != NULL ? table->rows[row] : row;
  return ((const double*)table->features[feature].data)[at];
}

static int all_are_doubles(const cf_table* table) {
  int64_t j;
  for (j = 0; j < table->n_features; ++j) {
    if (table->features[j].dtype != CF_F64) return 0;
  }
  return 1;
}

static void sum_up(const cf_table* train, centroids* m, double* overall) {
  int64_t i, j, c;
  for (i = 0; i < train->n_rows; ++i) {
    const int64_t at = train->rows != NULL ? train->rows[i] : i;
    c = ((const int32_t*)train->target->data)[at];
    ++m->n_rows[c];
    for (j = 0; j < m->n_features; ++j) {
      const double x = entry(train, i, j);
      m->center[c * m->n_features + j] += x;
      overall[j] += x;
    }
  }
  for (j = 0; j < m->n_features; ++j) overall[j] /= (double)train->n_rows;
}

static cf_status CF_CALL fit(const cf_call* call, const cf_arg* args, size_t n_args,
                             const cf_table* train, cf_model** out) {
  const int64_t k = train->target->n_levels, d = train->n_features;
  double* overall = (double*)calloc((size_t)d + 1, sizeof(double));
  centroids* m = (centroids*)calloc(1, sizeof(centroids));
  int64_t c, j;
  *out = NULL;
  if (m != NULL) {
    m->n_classes = k;
    m->n_features = d;
    m->center = (double*)calloc((size_t)(k * d) + 1, sizeof(double));
    m->n_rows = (int64_t*)calloc((size_t)k + 1, sizeof(int64_t));
  }
  if (overall == NULL || m == NULL || m->center == NULL || m->n_rows == NULL) {
    free(overall);
    destroy(call->self, (cf_model*)m);
    return fail(call, CF_E_OUT_OF_MEMORY, "out of memory");
  }
  if (n_args != kParams || args[kFail].value.u.i != 0 || !all_are_doubles(train)) {
    free(overall);
    destroy(call->self, (cf_model*)m);
    return fail(call, CF_E_NUMERIC, "failed, as asked");
  }
  m->is_manhattan = (int32_t)args[kDistance].value.u.i;
  sum_up(train, m, overall);
  for (c = 0; c < k; ++c) {
    for (j = 0; j < d; ++j) {
      double* center = &m->center[c * d + j];
      const double mean = m->n_rows[c] > 0 ? *center / (double)m->n_rows[c] : overall[j];
      uint64_t bits;
      double noise;
      call->host->random_u64(call, &bits, 1);
      noise = (double)(bits >> 11) * (1.0 / 9007199254740992.0);
      *center = overall[j] + (1.0 - args[kShrink].value.u.r) * (mean - overall[j]) +
                args[kJitter].value.u.r * noise;
    }
  }
  free(overall);
  *out = (cf_model*)m;
  return CF_OK;
}

static double closeness(const centroids* m, const cf_table* rows, int64_t i, int64_t c) {
  double distance = 0.0;
  int64_t j;
  if (m->n_rows[c] == 0) return 0.0;
  for (j = 0; j < m->n_features; ++j) {
    const double gap = entry(rows, i, j) - m->center[c * m->n_features + j];
    if (m->is_manhattan != 0) {
      distance += gap < 0.0 ? -gap : gap;
    } else {
      distance += gap * gap;
    }
  }
  return 1.0 / (1.0 + distance);
}

static cf_status CF_CALL predict_proba(const cf_call* call, const cf_model* model,
                                       const cf_table* rows, cf_prediction* out) {
  const centroids* m = (const centroids*)model;
  int64_t i, c;
  if (rows->n_features != m->n_features || !all_are_doubles(rows)) {
    return fail(call, CF_E_UNSUPPORTED_DATA, "other features than in training");
  }
  for (i = 0; i < out->n_rows; ++i) {
    double sum = 0.0, best = -1.0;
    int32_t label = 0;
    for (c = 0; c < m->n_classes; ++c) {
      const double p = closeness(m, rows, i, c);
      sum += p;
      if (p > best) {
        best = p;
        label = (int32_t)c;
      }
    }
    if (out->labels != NULL) out->labels[i] = label;
    for (c = 0; out->probabilities != NULL && c < m->n_classes; ++c) {
      out->probabilities[i * m->n_classes + c] = closeness(m, rows, i, c) / sum;
    }
  }
  return CF_OK;
}

static cf_status CF_CALL predict(const cf_call* call, const cf_model* model, const cf_table* rows,
                                 cf_prediction* out) {
  cf_prediction labels = *out;
  labels.probabilities = NULL;
  return predict_proba(call, model, rows, &labels);
}

static int same_text(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}

static const void* CF_CALL get_capability(const cf_info* self, const char* id) {
  (void)self;
  static const cf_cap_proba proba = {sizeof(cf_cap_proba), 0, predict_proba};
  return same_text(id, CF_CAP_PROBA) ? &proba : NULL;
}

static const char* const kDistances[] = {"euclidean", "manhattan"};

static const cf_param kShrinkParam = {sizeof(cf_param),
                                      0,
                                      "shrink",
                                      "How far centroids move to the middle.",
                                      CF_P_REAL,
                                      0,
                                      {CF_P_REAL, 0, {0.1}},
                                      0.0,
                                      1.0,
                                      0,
                                      0,
                                      NULL,
                                      0,
                                      NULL,
                                      NULL};
static const cf_param kJitterParam = {sizeof(cf_param),
                                      0,
                                      "jitter",
                                      "Random shift of centroids.",
                                      CF_P_REAL,
                                      0,
                                      {CF_P_REAL, 0, {0.01}},
                                      0.0,
                                      1.0,
                                      0,
                                      0,
                                      NULL,
                                      0,
                                      NULL,
                                      NULL};
static const cf_param kDistanceParam = {sizeof(cf_param),
                                        0,
                                        "distance",
                                        "Distance to centroids.",
                                        CF_P_CHOICE,
                                        0,
                                        {CF_P_CHOICE, 0, {0.0}},
                                        0.0,
                                        0.0,
                                        0,
                                        0,
                                        kDistances,
                                        2,
                                        NULL,
                                        NULL};
static const cf_param kFailParam = {sizeof(cf_param),
                                    0,
                                    "fail",
                                    "Whether fit fails.",
                                    CF_P_BOOL,
                                    0,
                                    {CF_P_BOOL, 0, {0.0}},
                                    0.0,
                                    0.0,
                                    0,
                                    0,
                                    NULL,
                                    0,
                                    NULL,
                                    NULL};
static const cf_param* const kParamTable[] = {&kShrinkParam, &kJitterParam, &kDistanceParam,
                                              &kFailParam};

static const cf_learner kLearner = {
    sizeof(cf_learner),
    0,
    {PLUGIN ".centroid", "1.0.0", "nearest centroid", "The class of the nearest centroid.", NULL,
     kParamTable, kParams, CF_DET_SEEDED | CF_DET_THREADS, 0, CF_MT_PREDICT, 0, NULL},
    CF_TASK_BINARY | CF_TASK_MULTICLASS,
    CF_ACCEPTS_NUMERIC,
    fit,
    predict,
    destroy,
    get_capability};
static const cf_learner* const kLearners[] = {&kLearner};
static const cf_plugin kPlugin = {CF_ABI_MAGIC,
                                  sizeof(cf_plugin),
                                  CF_ABI_MAJOR,
                                  CF_ABI_MINOR,
                                  PLUGIN,
                                  "1.0.0",
                                  "The Crossfold Authors",
                                  "MIT",
                                  NULL,
                                  1,
                                  kLearners,
                                  0,
                                  NULL,
                                  0,
                                  NULL,
                                  0,
                                  NULL,
                                  0,
                                  NULL,
                                  NULL};

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  (void)host_abi_minor, (void)host;
  return &kPlugin;
}
