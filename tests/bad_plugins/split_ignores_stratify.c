/* Defect: stratify = true is taken, and changes nothing. */
#include "broken_splitter.h"

static void Break(cf_splitter* splitter) {
  static cf_param stratify;
  static const cf_param* params[2];
  params[0] = splitter->info.params[0];
  params[1] = &stratify;
  stratify.struct_size = sizeof(cf_param);
  stratify.name = "stratify";
  stratify.doc = "Whether every fold has every class.";
  stratify.type = stratify.def.type = CF_P_BOOL;
  splitter->info.params = params;
  splitter->info.n_params = 2;
}
