/* No defect: what must pass every check. */
#include "working_splitter.h"

CF_MANIFEST(WORKING_SPLITTER_MANIFEST("bad.good_splitter"));

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_splitter splitter;
  static const cf_splitter* const splitters[] = {&splitter};
  static cf_plugin plugin;
  (void)host_abi_minor, (void)host;
  FillSplitter(&splitter, "bad.good_splitter");
  FillSplitterPlugin(&plugin, "bad.good_splitter", splitters, 1);
  return &plugin;
}
