/* Hears other rows from further away if the first class is not called k0. */
#include "bad_plugins/smoother.h"

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  cf_arg changed[kSmootherParams];
  const int knows = train->target->levels == NULL || strcmp(train->target->levels[0], "k0") == 0;
  memcpy(changed, args, sizeof(changed));
  if (!knows) changed[kWidth].value.u.r = 100;
  return SmootherFit(call, changed, n_args, train, out);
}

static void Break(cf_learner* learner) {
  learner->get_capability = OnlyProba;
  learner->fit = BadFit;
}
