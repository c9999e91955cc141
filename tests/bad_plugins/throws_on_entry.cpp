// Defect: an exception leaves the entry function.
#include <stdexcept>

#include "working_plugin.h"

CF_MANIFEST(WORKING_MANIFEST("bad.throws_on_entry"));

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t, const cf_host*) {
  throw std::runtime_error("no licence file");
}
