/* No defect: it declines to work with this host, and says why. */
#include "working_plugin.h"

CF_MANIFEST(WORKING_MANIFEST("bad.declines"));

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  (void)host_abi_minor;
  host->log(host, CF_LOG_INFO, "looking for a graphics card");
  host->log(host, CF_LOG_ERROR, "no graphics card");
  return NULL;
}
