/* A plugin without a manifest, as other languages make them, and nothing else wrong. */
#include "bad_plugins/working_plugin.h"

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_learner learner;
  static const cf_learner* learners[] = {&learner};
  static cf_plugin plugin;
  (void)host_abi_minor, (void)host;
  FillLearner(&learner, "org.example.unlisted");
  FillPlugin(&plugin, "org.example.unlisted", learners);
  return &plugin;
}
