/* @NAME@: subtracts the mean of the training rows and divides by their standard deviation. */
#include <crossfold_c.h>

struct cf_model { /* one entry per feature: (x - shift) / divisor; unused for categories */
  double *shifts, *divisors;
};

static const cf_param kScale = CF_BOOL("scale", 1, "Divide by the standard deviation.");

/* The weighted mean of x, or with `around` of its squared distance from `around`, over the present
 * entries of feature j; 0 if there are none. */
static double mean_of(const cf_table* train, int64_t j, const double* around) {
  double sum = 0, total = 0;
  for (int64_t i = 0; i < train->n_rows; ++i) {
    const double weight = cf_weight(train, i), x = cf_x(train, i, j);
    if (isnan(x) || weight == 0) continue;
    sum += weight * (around == NULL ? x : (x - *around) * (x - *around));
    total += weight;
  }
  return total > 0 ? sum / total : 0;
}

static cf_status fit(const cf_call* call, cf_args args, const cf_table* train, cf_model* model) {
  model->shifts = cf_keep_doubles(call, model, train->n_features);
  model->divisors = cf_keep_doubles(call, model, train->n_features);
  if (model->shifts == NULL || model->divisors == NULL) return CF_E_OUT_OF_MEMORY;
  for (int64_t j = 0; j < train->n_features; ++j) {
    const double mean = mean_of(train, j, NULL), deviation = sqrt(mean_of(train, j, &mean));
    if (!isfinite(mean) || !isfinite(deviation)) {
      return cf_fail(call, CF_E_NUMERIC, "the entries of feature '%s' are too large for a mean",
                     train->features[j].name);
    }
    model->shifts[j] = mean;
    model->divisors[j] = cf_bool(args, &kScale) && deviation > 0 ? deviation : 1;
  }
  return CF_OK;
}

static cf_status apply(const cf_call* call, const cf_model* model, const cf_table* rows,
                       const cf_column_sink* out) {
  for (int64_t j = 0; j < rows->n_features; ++j) {
    const cf_column* column = &rows->features[j];
    if (column->dtype == CF_CAT32) {
      const cf_status status = out->pass_column(out, j);
      if (status != CF_OK) return status;
      continue;
    }
    double* made = out->add_column(out, column->name, CF_F64, NULL, 0, 0, NULL);
    if (made == NULL) return cf_fail(call, CF_E_INTERNAL, "the host refused a column");
    for (int64_t i = 0; i < rows->n_rows; ++i) { /* a missing entry is NaN and stays NaN */
      made[i] = (cf_x(rows, i, j) - model->shifts[j]) / model->divisors[j];
      if (isinf(made[i])) {
        return cf_fail(call, CF_E_NUMERIC, "an entry of feature '%s' is too large", column->name);
      }
    }
  }
  return CF_OK;
}

CF_TRANSFORM_PLUGIN("@ID@", "0.1.0", "@VENDOR@", "@LICENSE@", "@NAME@",
                    "Subtracts from every numeric column the mean of the training rows and divides "
                    "by their standard deviation. Missing entries stay missing, categories pass.",
                    CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED,
                    CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL | CF_ACCEPTS_MISSING |
                        CF_ACCEPTS_WEIGHTS | CF_ACCEPTS_NO_FEATURES,
                    fit, apply, &kScale)
