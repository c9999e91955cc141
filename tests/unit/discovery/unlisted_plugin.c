/* A plugin without a manifest, as other languages make them, and nothing else wrong. */
#include "bad_plugins/working_plugin.h"

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  (void)host_abi_minor, (void)host;
  return WorkingPlugin("org.example.unlisted");
}
