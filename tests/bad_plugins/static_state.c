/* Defect: predict uses what the last fit left in a static variable. */
#include "smoother.h"

static double last_width;

/* The width follows the training rows. */
static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  const cf_status status = SmootherFit(call, args, n_args, train, out);
  const Smoother* s = (const Smoother*)*out;
  double most = 0;
  int64_t i, j;
  for (i = 0; s != NULL && i < s->n_rows; ++i) {
    for (j = 0; j < s->n_features; ++j) most = fmax(EntriesOf(RecordAt(s, i))[j], most);
  }
  if (s != NULL) last_width = s->width * (2 + sin(most));
  return status;
}

static cf_status CF_CALL BadPredict(const cf_call* call, const cf_model* model,
                                    const cf_table* rows, cf_prediction* out) {
  return Ask(call, (const Smoother*)model, last_width, rows, out);
}

static void Break(cf_learner* learner) {
  learner->info.threading = CF_MT_NONE;
  KeepOnlyProba(learner);
  learner->fit = BadFit;
  learner->predict = BadPredict;
  smoother_proba.predict_proba = BadPredict;
}
