/* Defect: it is sure of every file. */
#include "broken_source.h"

static cf_status CF_CALL BadSniff(const cf_call* call, const cf_source_input* input,
                                  int32_t* sure) {
  (void)call, (void)input;
  *sure = CF_SNIFF_CONTENT;
  return CF_OK;
}

static void Break(cf_source* source) { source->sniff = BadSniff; }
