/* The transform of working_transform.h as a plugin. A bad plugin includes this header and defines
 * Break(), which breaks it in one place. */
#ifndef CROSSFOLD_TESTS_BROKEN_TRANSFORM_H
#define CROSSFOLD_TESTS_BROKEN_TRANSFORM_H

#include "working_transform.h"

static void Break(cf_transform* transform);

CF_MANIFEST(WORKING_TRANSFORM_MANIFEST("bad." DEFECT));

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_transform transform;
  static const cf_transform* const transforms[] = {&transform};
  static cf_plugin plugin;
  (void)host_abi_minor, (void)host;
  FillTransform(&transform, "bad." DEFECT);
  FillTransformPlugin(&plugin, "bad." DEFECT, transforms, 1);
  Break(&transform);
  return &plugin;
}

#endif
