/* One row of the table that layout_table.c makes, and its functions: one pair a language. */
#ifndef CROSSFOLD_TESTS_UNIT_SDK_LAYOUT_TABLE_H
#define CROSSFOLD_TESTS_UNIT_SDK_LAYOUT_TABLE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct layout_entry {
  const char* name;     /* "cf_table", "cf_table.rows" or "CF_OK" */
  unsigned long offset; /* of a field; value of a constant */
  unsigned long size;   /* 0 for a constant */
} layout_entry;

const layout_entry* layout_c99(size_t* n);
const layout_entry* layout_c11(size_t* n);
const layout_entry* layout_cxx11(size_t* n);
const layout_entry* layout_cxx20(size_t* n);
const char* const* layout_names_c99(size_t* n);
const char* const* layout_names_c11(size_t* n);
const char* const* layout_names_cxx11(size_t* n);
const char* const* layout_names_cxx20(size_t* n);

#ifdef __cplusplus
}
#endif
#endif
