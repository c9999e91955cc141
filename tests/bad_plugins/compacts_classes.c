/* Defect: classes are numbered by those that occur in the training rows. */
#include "smoother.h"

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  const cf_status status = SmootherFit(call, args, n_args, train, out);
  Smoother* s = (Smoother*)*out;
  int64_t i, c, next = 0;
  for (c = 0; status == CF_OK && c < s->n_classes; ++c) {
    int occurs = 0;
    for (i = 0; i < s->n_rows; ++i) {
      if (TargetOf(s, i) != (double)c) continue;
      RecordAt(s, i)[1 + s->n_features] = (double)next;
      occurs = 1;
    }
    next += occurs;
  }
  return status;
}

static void Break(cf_learner* learner) {
  learner->fit = BadFit;
  KeepOnlyProba(learner);
}
