/* Defect: the descriptor has another magic number. */
#include "working_plugin.h"

CF_MANIFEST(WORKING_MANIFEST("bad.wrong_magic"));

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_learner learner;
  static const cf_learner* const learners[] = {&learner};
  static cf_plugin plugin;
  (void)host_abi_minor, (void)host;
  FillLearner(&learner, "bad.wrong_magic");
  FillPlugin(&plugin, "bad.wrong_magic", learners);
  plugin.magic = 0x12345678u;
  return &plugin;
}
