/* Defect: the plugin refuses a host of a later minor version. */
#define OWN_ENTRY
#include "smoother.h"

static void Break(cf_learner* learner) { (void)learner; }

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  if (host_abi_minor <= CF_ABI_MINOR) return EnterSmoother();
  host->log(host, CF_LOG_ERROR, "built for another version");
  return NULL;
}
