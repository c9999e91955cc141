/* Defect: a default is known by its address: the same text elsewhere is another one. */
#include "smoother.h"

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  static const char* known; /* the first title, which is the default */
  cf_arg changed[kSmootherParams];
  memcpy(changed, args, sizeof(changed));
  if (known == NULL) known = args[kTitle].value.u.s.p;
  if (known != args[kTitle].value.u.s.p) changed[kWidth].value.u.r *= 2;
  return SmootherFit(call, changed, n_args, train, out);
}

static void Break(cf_learner* learner) {
  KeepOnlyProba(learner);
  learner->info.threading = CF_MT_NONE;
  learner->fit = BadFit;
}
