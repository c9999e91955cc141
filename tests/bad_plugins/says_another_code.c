/* Defect: the status of an error is another one than it told the host. */
#include "smoother.h"

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  *out = NULL;
  if (train->n_rows <= 3 && args[kPower].value.u.i == 8) {
    call->host->fail(call, CF_E_UNSUPPORTED_DATA, "power = 8 needs more rows");
    return CF_E_NUMERIC;
  }
  return SmootherFit(call, args, n_args, train, out);
}

static void Break(cf_learner* learner) {
  KeepOnlyProba(learner);
  learner->fit = BadFit;
}
