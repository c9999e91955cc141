/* It has no manifest, and its entry function ends the process. */
#include <unistd.h>

#include "bad_plugins/working_plugin.h"

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  (void)host_abi_minor, (void)host;
  _exit(3);
}
