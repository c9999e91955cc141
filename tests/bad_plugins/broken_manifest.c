/* Defect: the manifest is cut off. */
#include "working_plugin.h"

CF_MANIFEST("{\"crossfold\":1,\"id\":\"bad.broken");

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_learner learner;
  static const cf_learner* const learners[] = {&learner};
  static cf_plugin plugin;
  (void)host_abi_minor, (void)host;
  FillLearner(&learner, "bad.broken_manifest");
  FillPlugin(&plugin, "bad.broken_manifest", learners);
  return &plugin;
}
