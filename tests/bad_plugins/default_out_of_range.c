/* Defect: a default lies outside its own range. */
#include "working_plugin.h"

CF_MANIFEST(WORKING_MANIFEST("bad.default_out_of_range"));

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_learner learner;
  static const cf_learner* const learners[] = {&learner};
  static cf_plugin plugin;
  (void)host_abi_minor, (void)host;
  FillLearner(&learner, "bad.default_out_of_range");
  FillPlugin(&plugin, "bad.default_out_of_range", learners);
  static cf_param k;
  static const cf_param* const params[] = {&k};
  k.struct_size = sizeof(cf_param);
  k.name = "k";
  k.type = k.def.type = CF_P_INT;
  k.def.u.i = 0;
  k.ilo = 1;
  k.ihi = 100;
  learner.info.params = params;
  learner.info.n_params = 1;
  return &plugin;
}
