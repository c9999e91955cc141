/* Defect: it is built for a later version of the boundary, and says so. */
#include "working_plugin.h"

CF_MANIFEST("{\"crossfold\":2,\"id\":\"bad.manifest_of_abi_2\"}");

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_learner learner;
  static const cf_learner* const learners[] = {&learner};
  static cf_plugin plugin;
  (void)host_abi_minor, (void)host;
  FillLearner(&learner, "bad.manifest_of_abi_2");
  FillPlugin(&plugin, "bad.manifest_of_abi_2", learners);
  return &plugin;
}
