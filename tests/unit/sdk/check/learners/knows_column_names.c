/* A column whose name does not begin with n or c is not heard. */
#include "bad_plugins/smoother.h"

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  cf_arg changed[kSmootherParams];
  const char first = train->n_features > 0 ? train->features[0].name[0] : 'n';
  memcpy(changed, args, sizeof(changed));
  if (first != 'n' && first != 'c') changed[kWidth].value.u.r = 100;
  return SmootherFit(call, changed, n_args, train, out);
}

static void Break(cf_learner* learner) {
  learner->get_capability = OnlyProba;
  learner->fit = BadFit;
}
