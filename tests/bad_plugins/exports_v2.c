/* Defect: it has only the entry function of a later major version. */
#include "working_plugin.h"

CF_MANIFEST(WORKING_MANIFEST("bad.exports_v2"));

CF_EXPORT const void* crossfold_plugin_v2(void);
const void* crossfold_plugin_v2(void) { return NULL; }
