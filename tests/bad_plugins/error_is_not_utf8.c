/* Defect: a message is in Latin-1, not in UTF-8. */
#include "smoother.h"

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  *out = NULL;
  if (train->n_rows <= 3 && args[kPower].value.u.i == 8) {
    return FailBecause(call, CF_E_UNSUPPORTED_DATA, "zu wenige Zeilen f\xFCr power = 8");
  }
  return SmootherFit(call, args, n_args, train, out);
}

static void Break(cf_learner* learner) {
  KeepOnlyProba(learner);
  learner->fit = BadFit;
}
