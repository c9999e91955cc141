/* Expects two checks to fail: one does, as it has a capability that does not exist; one does not.
 */
#include "bad_plugins/working_plugin.h"

CF_MANIFEST(
    "{\"crossfold\":1,\"abi_minor\":0,\"id\":\"bad.expects_failures\",\"version\":\"1.0.0\","
    "\"learners\":[\"bad.expects_failures\"],\"transforms\":[],\"splitters\":[],\"metrics\":[],"
    "\"expected_failures\":["
    "{\"check\":\"capability-unknown\",\"component\":\"bad.expects_failures\","
    "\"reason\":\"an id of our own begins with x\"},"
    "{\"check\":\"id-form\",\"reason\":\"the version is a name\"}]}");

static const void* CF_CALL GetCapability(const cf_info* self, const char* id) {
  (void)self;
  static const cf_cap_memory table = {sizeof(cf_cap_memory), 0, NULL};
  return id[0] == 'x' ? &table : NULL;
}

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_learner learner;
  (void)host_abi_minor, (void)host;
  FillLearner(&learner, "bad.expects_failures");
  learner.get_capability = GetCapability;
  return PluginOf(&learner, "bad.expects_failures");
}
