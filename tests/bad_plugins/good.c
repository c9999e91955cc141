/* No defect: what must still work beside the others. */
#include "working_plugin.h"

CF_MANIFEST(WORKING_MANIFEST("bad.good"));

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  (void)host_abi_minor, (void)host;
  return WorkingPlugin("bad.good");
}
