/* No defect in the code: the linker looks for libraries in a folder of another machine,
 * to make the stack executable, and to need two OpenMP runtimes (empty libraries of their names).
 */
#include "bad_plugins/working_plugin.h"

void omp_one(void);
void omp_two(void);

CF_MANIFEST(WORKING_MANIFEST("bad.foreign_needs"));

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_learner learner;
  static const cf_learner* const learners[] = {&learner};
  static cf_plugin plugin;
  (void)host_abi_minor, (void)host;
  omp_one();
  omp_two();
  FillLearner(&learner, "bad.foreign_needs");
  FillPlugin(&plugin, "bad.foreign_needs", learners);
  return &plugin;
}
