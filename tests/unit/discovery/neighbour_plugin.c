/* A plugin that needs a library in a folder beside its own ($ORIGIN/neighbours). Its version of the
 * component says what the library answered. */
#include "bad_plugins/working_plugin.h"

CF_MANIFEST(WORKING_MANIFEST("org.example.neighbour"));

int crossfold_tests_neighbour(void);

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_learner learner;
  (void)host_abi_minor, (void)host;
  FillLearner(&learner, "org.example.neighbour");
  learner.info.version = crossfold_tests_neighbour() == 42 ? "42" : "0";
  return PluginOf(&learner, "org.example.neighbour");
}
