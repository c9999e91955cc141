/* Defect: the plugin refuses a host of a later minor version. */
#include "working_plugin.h"

CF_MANIFEST(WORKING_MANIFEST("bad.refuses_newer_hosts"));

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_learner learner;
  static const cf_learner* const learners[] = {&learner};
  static cf_plugin plugin;
  if (host_abi_minor > CF_ABI_MINOR) {
    host->log(host, CF_LOG_ERROR, "built for another version");
    return NULL;
  }
  FillLearner(&learner, "bad.refuses_newer_hosts");
  FillPlugin(&plugin, "bad.refuses_newer_hosts", learners);
  return &plugin;
}
