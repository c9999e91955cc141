/* Defect: fit fails and does not say why. */
#include "working_plugin.h"

static cf_status CF_CALL FailSilently(const cf_call* call, const cf_arg* args, size_t n_args,
                                      const cf_table* train, cf_model** out) {
  (void)call, (void)args, (void)n_args, (void)train;
  *out = NULL;
  return CF_E_INVALID_PARAM;
}

CF_MANIFEST(WORKING_MANIFEST("bad.fails_silently"));

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_learner learner;
  static const cf_learner* const learners[] = {&learner};
  static cf_plugin plugin;
  (void)host_abi_minor, (void)host;
  FillLearner(&learner, "bad.fails_silently");
  FillPlugin(&plugin, "bad.fails_silently", learners);
  learner.fit = FailSilently;
  return &plugin;
}
