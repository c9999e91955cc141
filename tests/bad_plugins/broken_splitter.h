/* The splitter of working_splitter.h as a plugin. A bad plugin includes this header and defines
 * Break(), which breaks it in one place. */
#ifndef CROSSFOLD_TESTS_BROKEN_SPLITTER_H
#define CROSSFOLD_TESTS_BROKEN_SPLITTER_H

#include "working_splitter.h"

static void Break(cf_splitter* splitter);

CF_MANIFEST(WORKING_SPLITTER_MANIFEST("bad." DEFECT));

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_splitter splitter;
  static const cf_splitter* const splitters[] = {&splitter};
  static cf_plugin plugin;
  (void)host_abi_minor, (void)host;
  FillSplitter(&splitter, "bad." DEFECT);
  FillSplitterPlugin(&plugin, "bad." DEFECT, splitters, 1);
  Break(&splitter);
  return &plugin;
}

#endif
