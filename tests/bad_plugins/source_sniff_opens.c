/* Defect: it opens the file to find out what it is. */
#include "broken_source.h"

static cf_status CF_CALL BadSniff(const cf_call* call, const cf_source_input* input,
                                  int32_t* sure) {
  FILE* file = fopen(input->location, "rb");
  if (file != NULL) fclose(file);
  return WorkingSniff(call, input, sure);
}

static void Break(cf_source* source) { source->sniff = BadSniff; }
