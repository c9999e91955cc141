/* The source of working_source.h as a plugin. A bad plugin includes this header and defines
 * Break(), which breaks it in one place. */
#ifndef CROSSFOLD_TESTS_BROKEN_SOURCE_H
#define CROSSFOLD_TESTS_BROKEN_SOURCE_H

#include "working_source.h"

static void Break(cf_source* source);

CF_MANIFEST(WORKING_SOURCE_MANIFEST("bad." DEFECT));

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_source source;
  static const cf_source* const sources[] = {&source};
  static cf_plugin plugin;
  (void)host_abi_minor, (void)host;
  FillSource(&source, "bad." DEFECT);
  FillSourcePlugin(&plugin, "bad." DEFECT, sources, 1);
  Break(&source);
  return &plugin;
}

#endif
