/* Defect: the descriptor is shorter than version 1.0. */
#include "working_plugin.h"

CF_MANIFEST(WORKING_MANIFEST("bad.short_descriptor"));

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_learner learner;
  static const cf_learner* const learners[] = {&learner};
  static cf_plugin plugin;
  (void)host_abi_minor, (void)host;
  FillLearner(&learner, "bad.short_descriptor");
  FillPlugin(&plugin, "bad.short_descriptor", learners);
  plugin.struct_size = 40;
  return &plugin;
}
