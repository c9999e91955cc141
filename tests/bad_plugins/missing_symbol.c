/* Defect: it needs a function that nobody has. */
#include "working_plugin.h"

int crossfold_tests_nobody_has_this(void);

CF_MANIFEST(WORKING_MANIFEST("bad.missing_symbol"));

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_learner learner;
  static const cf_learner* const learners[] = {&learner};
  static cf_plugin plugin;
  (void)host_abi_minor, (void)host;
  FillLearner(&learner, "bad.missing_symbol");
  FillPlugin(&plugin, "bad.missing_symbol", learners);
  learner.info.process_flags = (uint32_t)crossfold_tests_nobody_has_this();
  return &plugin;
}
