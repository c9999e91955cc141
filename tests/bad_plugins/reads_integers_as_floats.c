/* Defect: columns of 32-bit integers are read as floats. */
#include "smoother.h"

/* The table as it is misread. */
static cf_table Misread(const cf_table* table, cf_column* columns) {
  cf_table changed = *table;
  int64_t j;
  for (j = 0; j < table->n_features; ++j) {
    columns[j] = table->features[j];
    if (columns[j].dtype == CF_I32) columns[j].dtype = CF_F32;
  }
  changed.features = columns;
  return changed;
}

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  cf_column* columns = (cf_column*)malloc(((size_t)train->n_features + 1) * sizeof(cf_column));
  cf_table changed = Misread(train, columns);
  const cf_status status = SmootherFit(call, args, n_args, &changed, out);
  free(columns);
  return status;
}

static cf_status CF_CALL BadPredict(const cf_call* call, const cf_model* model,
                                    const cf_table* rows, cf_prediction* out) {
  cf_column* columns = (cf_column*)malloc(((size_t)rows->n_features + 1) * sizeof(cf_column));
  cf_table changed = Misread(rows, columns);
  const cf_status status = SmootherPredict(call, model, &changed, out);
  free(columns);
  return status;
}

static void Break(cf_learner* learner) {
  learner->fit = BadFit;
  learner->predict = BadPredict;
  smoother_proba.predict_proba = BadPredict;
  KeepOnlyProba(learner);
}
