/* Defect: it declines and does not say why. */
#include "working_plugin.h"

CF_MANIFEST(WORKING_MANIFEST("bad.declines_silently"));

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  (void)host_abi_minor, (void)host;
  return NULL;
}
