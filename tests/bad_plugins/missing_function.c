/* Defect: a mandatory function is missing. */
#include "working_plugin.h"

CF_MANIFEST(WORKING_MANIFEST("bad.missing_function"));

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_learner learner;
  static const cf_learner* const learners[] = {&learner};
  static cf_plugin plugin;
  (void)host_abi_minor, (void)host;
  FillLearner(&learner, "bad.missing_function");
  FillPlugin(&plugin, "bad.missing_function", learners);
  learner.predict = NULL;
  return &plugin;
}
