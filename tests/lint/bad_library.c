/* A plugin and an archive with offences, for lint.finds_offences. */
#include <stdlib.h>

int crossfold_plugin_v1(void) { return rand(); }

double second_symbol(const char* number) { return strtod(number, NULL); }
