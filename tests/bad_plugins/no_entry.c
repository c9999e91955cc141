/* Defect: it has no entry function. */
#include "working_plugin.h"

CF_MANIFEST(WORKING_MANIFEST("bad.no_entry"));
