/* Defect: fit goes on when the host has said stop. */
#include "smoother.h"

static int32_t CF_CALL GoOn(const cf_call* call, double done) {
  (void)call, (void)done;
  return 0;
}

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  cf_host host = *call->host;
  cf_call changed = *call;
  (void)call->host->progress(call, 0);
  (void)call->host->progress(call, 0.5);
  host.progress = GoOn;
  changed.host = &host;
  return SmootherFit(&changed, args, n_args, train, out);
}

static void Break(cf_learner* learner) { learner->fit = BadFit; }
