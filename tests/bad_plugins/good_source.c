/* No defect: what must pass every check. */
#include "working_source.h"

CF_MANIFEST(WORKING_SOURCE_MANIFEST("bad.good_source"));

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_source source;
  static const cf_source* const sources[] = {&source};
  static cf_plugin plugin;
  (void)host_abi_minor, (void)host;
  FillSource(&source, "bad.good_source");
  FillSourcePlugin(&plugin, "bad.good_source", sources, 1);
  return &plugin;
}
