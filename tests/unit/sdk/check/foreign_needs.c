/* No defect in the code: the linker looks for libraries in a folder of another machine,
 * to make the stack executable, and to need two OpenMP runtimes (empty libraries of their names).
 */
#include "bad_plugins/working_plugin.h"

void omp_one(void);
void omp_two(void);

CF_MANIFEST(WORKING_MANIFEST("bad.foreign_needs"));

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  (void)host_abi_minor, (void)host;
  omp_one();
  omp_two();
  return WorkingPlugin("bad.foreign_needs");
}
