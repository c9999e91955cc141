/* Defect: fit waits for ever for work that it has cancelled, once it has begun. */
#include "smoother.h"

#include <unistd.h>

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  cf_status status;
  *out = NULL;
  if (call->host->progress(call, 0) != 0 || call->host->progress(call, 0) != 0) {
    return FailBecause(call, CF_E_CANCELLED, "cancelled");
  }
  status = SmootherFit(call, args, n_args, train, out);
  while (status == CF_E_CANCELLED) pause();
  return status;
}

static void Break(cf_learner* learner) { learner->fit = BadFit; }
