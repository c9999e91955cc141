/* Defect: the descriptor is of another major version than the manifest says. */
#include "working_plugin.h"

CF_MANIFEST(WORKING_MANIFEST("bad.other_abi"));

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_learner learner;
  static const cf_learner* const learners[] = {&learner};
  static cf_plugin plugin;
  (void)host_abi_minor, (void)host;
  FillLearner(&learner, "bad.other_abi");
  FillPlugin(&plugin, "bad.other_abi", learners);
  plugin.abi_major = 2;
  return &plugin;
}
