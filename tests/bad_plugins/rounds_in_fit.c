/* Defect: fit changes the rounding mode and leaves it so. */
#include "working_plugin.h"

#include <fenv.h>

static cf_status CF_CALL RoundUp(const cf_call* call, const cf_arg* args, size_t n_args,
                                 const cf_table* train, cf_model** out) {
  fesetround(FE_UPWARD);
  return WorkingFit(call, args, n_args, train, out);
}

CF_MANIFEST(WORKING_MANIFEST("bad.rounds_in_fit"));

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_learner learner;
  static const cf_learner* const learners[] = {&learner};
  static cf_plugin plugin;
  (void)host_abi_minor, (void)host;
  FillLearner(&learner, "bad.rounds_in_fit");
  FillPlugin(&plugin, "bad.rounds_in_fit", learners);
  learner.fit = RoundUp;
  return &plugin;
}
