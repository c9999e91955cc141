/* Defect: two parameters together make an index past the end of a table. */
#include "smoother.h"

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  const int64_t power = args[kPower].value.u.i;
  if (args[kWidth].value.u.r > 1 && power >= 4 && power <= 7) abort();
  return SmootherFit(call, args, n_args, train, out);
}

static void Break(cf_learner* learner) {
  KeepOnlyProba(learner);
  learner->fit = BadFit;
}
