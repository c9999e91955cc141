/* Defect: two of its components have one id. */
#include "working_plugin.h"

CF_MANIFEST(
    "{\"crossfold\":1,\"id\":\"bad.repeats_id\",\"version\":\"1.0.0\",\"learners\":"
    "[\"bad.repeats_id\",\"bad.repeats_id\"],\"transforms\":[],\"splitters\":[],\"metrics\":[]}");

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_learner learner;
  static const cf_learner* const learners[] = {&learner};
  static cf_plugin plugin;
  (void)host_abi_minor, (void)host;
  FillLearner(&learner, "bad.repeats_id");
  FillPlugin(&plugin, "bad.repeats_id", learners);
  return &plugin;
}
