/* nearest: predicts the class whose mean of the training rows is nearest (nearest centroid). */
#include <crossfold_c.h>

struct cf_model {
  double* means; /* one row per class; NaN for a class without training rows, which is never nearest */
};

static const cf_param kShrink =
    CF_REAL("shrink", 0.0, 0.0, 1.0, "Share by which the class means move to the overall mean.");

static cf_status fit(const cf_call* call, cf_args args, const cf_table* train, cf_model* model) {
  const int64_t k = cf_n_classes(train), d = train->n_features;
  const double shrink = cf_real(args, &kShrink);
  double *weights = cf_doubles(call, k), total = 0;
  double* means = model->means = cf_keep_doubles(call, model, k * d); /* sums at first */
  if (weights == NULL || means == NULL) return CF_E_OUT_OF_MEMORY;
  for (int64_t i = 0; i < train->n_rows; ++i) {
    const double weight = cf_weight(train, i);
    const int32_t c = cf_label(train, i);
    weights[c] += weight;
    for (int64_t j = 0; j < d; ++j) means[c * d + j] += weight * cf_x(train, i, j);
  }
  for (int64_t c = 0; c < k; ++c) total += weights[c];
  for (int64_t j = 0; j < d; ++j) {
    double middle = 0;
    for (int64_t c = 0; c < k; ++c) middle += means[c * d + j] / total;
    if (!isfinite(middle)) {
      return cf_fail(call, CF_E_NUMERIC, "feature '%s' has no mean", train->features[j].name);
    }
    for (int64_t c = 0; c < k; ++c) {
      means[c * d + j] = (1 - shrink) * (means[c * d + j] / weights[c]) + shrink * middle;
    }
  }
  return CF_OK;
}

static cf_status predict(const cf_call* call, const cf_model* model, const cf_table* rows,
                         cf_prediction* out) {
  for (int64_t i = 0; i < rows->n_rows; ++i) {
    double nearest = INFINITY; /* squared, as all distances here */
    for (int64_t c = 0; c < out->n_classes; ++c) {
      double distance = 0;
      for (int64_t j = 0; j < rows->n_features; ++j) {
        const double gap = cf_x(rows, i, j) - model->means[c * rows->n_features + j];
        distance += gap * gap;
      }
      if (distance < nearest) {
        nearest = distance;
        out->labels[i] = (int32_t)c;
      }
    }
    if (nearest == INFINITY) return cf_fail(call, CF_E_NUMERIC, "a row is too far from all means");
  }
  return CF_OK;
}

CF_LEARNER_PLUGIN("org.example.nearest", "0.1.0", "Example Org", "MIT", "nearest",
                  "The class with the nearest mean; ties go to the first class.",
                  CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED,
                  CF_CLASSIFIER(CF_ACCEPTS_NUMERIC | CF_ACCEPTS_WEIGHTS, fit, predict), &kShrink)
