/* Reading the columns that a host lends, whatever type they have. */
#ifndef ENTRY_H
#define ENTRY_H

#include <crossfold_plugin.h>
#include <math.h>

/* Feature j of view row i as a double: a category gives its code, a missing entry NaN. */
static inline double entry_of(const cf_table* table, int64_t i, int64_t j) {
  const cf_column* column = &table->features[j];
  const int64_t at = table->rows != NULL ? table->rows[i] : i;
  if (column->validity != NULL) {
    const int64_t bit = at + column->validity_offset;
    if (((column->validity[bit / 8] >> (bit % 8)) & 1) == 0) return NAN;
  }
  switch (column->dtype) {
    case CF_F64:
      return ((const double*)column->data)[at];
    case CF_F32:
      return ((const float*)column->data)[at];
    case CF_I32:
      return ((const int32_t*)column->data)[at];
    case CF_I64:
      return (double)((const int64_t*)column->data)[at];
    case CF_BOOL8:
      return ((const uint8_t*)column->data)[at] != 0 ? 1.0 : 0.0;
    case CF_CAT32: {
      const int32_t code = ((const int32_t*)column->data)[at];
      return code < 0 ? (double)NAN : (double)code;
    }
    default:
      return NAN;
  }
}

#endif
