/* No defect: what must pass every check. */
#include "working_transform.h"

CF_MANIFEST(WORKING_TRANSFORM_MANIFEST("bad.good_transform"));

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_transform transform;
  static const cf_transform* const transforms[] = {&transform};
  static cf_plugin plugin;
  (void)host_abi_minor, (void)host;
  FillTransform(&transform, "bad.good_transform");
  FillTransformPlugin(&plugin, "bad.good_transform", transforms, 1);
  return &plugin;
}
