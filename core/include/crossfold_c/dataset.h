/* Datasets from columns in memory, from files, and from and to Arrow.
 * This is a part of crossfold.h, which states the rules. C99. */
#ifndef CROSSFOLD_C_DATASET_H
#define CROSSFOLD_C_DATASET_H

#include "crossfold_c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- datasets ------------------------------------------------------------------------------ */

/* Types of columns. */
enum {
  CROSSFOLD_F64 = 1,
  CROSSFOLD_F32 = 2,
  CROSSFOLD_I32 = 3,
  CROSSFOLD_I64 = 4,
  CROSSFOLD_BOOL8 = 5, /* one byte, 0 or 1 */
  CROSSFOLD_CAT32 = 6  /* int32 codes of levels */
};

/* A column that a host has in memory. Entries whose validity bit is 0, NaN and the code -1
 * are missing values. */
typedef struct crossfold_column {
  uint32_t struct_size;
  int32_t dtype; /* CROSSFOLD_F64 ... CROSSFOLD_CAT32 */
  const char* name;
  const void* data;
  const uint8_t* validity; /* bitmap, least significant bit first, 1 = present; NULL = all */
  int64_t validity_offset; /* bit of row 0 */
  const char* const* levels;
  size_t n_levels;
  int32_t ordered; /* 1 = the levels have an order */
  int32_t reserved;
  /* NULL = data and bitmap are copied. Otherwise they are lent and must not move or change until
   * this is called. Any thread calls it, once, when nothing uses the column any more, also if the
   * call that lent it failed (but not with CROSSFOLD_BUSY). */
  void (*release)(void* user);
  void* release_user;
} crossfold_column;

/* Makes a dataset of columns of n_rows entries each. `roles` is JSON, such as {"target":
 * "species"}; keys: target, weights, groups, time, folds, strata, coordinates (a list of
 * columns), row_costs, positive (a class of the target, which metrics, thresholds and curves of one
 * class are of; default the second of two), and infinite: what becomes of infinite numbers,
 * "refuse" (the default), "missing" or "keep". NULL = none. What looks like a mistake in the data is
 * a warning in the log. */
CROSSFOLD_API crossfold_status crossfold_dataset_create(
    crossfold_context* context, const char* name, const crossfold_column* const* columns,
    size_t n_columns, int64_t n_rows, const char* roles, crossfold_dataset** dataset);
/* Reads what a source plugin knows: `location` is a path or a URI. `options` is JSON; NULL = none.
 * Its keys are the roles, format ("csv"; left out: the source that is most certain, from the name
 * and the first bytes), types ({"age": "f64"}; f64, f32, i32, i64, bool, categorical, ignore, or
 * the list of all levels in their order, as in {"size": ["s", "m", "l"]}), drop_missing (rows
 * without an entry in these columns or roles are left out, as in ["target"]), and the parameters of
 * the source, such as {"separator": ";"}: docs/reading.md, `crossfold describe csv`. null is the
 * value none of a parameter. `like` is a model whose training data gives types and levels to
 * columns of the same names; it may be NULL. */
CROSSFOLD_API crossfold_status crossfold_dataset_read(crossfold_context* context,
                                                      const char* location, const char* options,
                                                      const crossfold_model* like,
                                                      crossfold_dataset** dataset);
/* Takes over a struct array (a record batch), in its own memory where the types allow it. Both
 * structs are consumed, also if the call fails (but not with CROSSFOLD_BUSY). crossfold/arrow.h
 * lists the types. */
CROSSFOLD_API crossfold_status crossfold_dataset_import_arrow(
    crossfold_context* context, const char* name, struct ArrowSchema* schema,
    struct ArrowArray* array, const char* roles, crossfold_dataset** dataset);
/* Fills in both structs, which the caller releases. They keep the data alive themselves. */
CROSSFOLD_API crossfold_status crossfold_dataset_export_arrow(crossfold_context* context,
                                                              const crossfold_dataset* dataset,
                                                              struct ArrowSchema* schema,
                                                              struct ArrowArray* array);
CROSSFOLD_API void crossfold_dataset_destroy(crossfold_dataset* dataset);

/* Kinds of targets. */
enum { CROSSFOLD_NO_TARGET = 0, CROSSFOLD_CLASSIFICATION = 1, CROSSFOLD_REGRESSION = 2 };

/* Description of a dataset, or of the data that a model was trained on. */
typedef struct crossfold_data_info {
  uint32_t struct_size;
  int32_t task; /* CROSSFOLD_NO_TARGET ... CROSSFOLD_REGRESSION */
  const char* name;
  int64_t n_rows;
  const char* const* features; /* names */
  size_t n_features;
  const char* const* classes; /* names, in their fixed order */
  size_t n_classes;
  const char* content_hash; /* SHA-256 in hexadecimal */
  const char* positive;     /* the positive class that the roles name; NULL = none */
} crossfold_data_info;

CROSSFOLD_API crossfold_status crossfold_dataset_describe(const crossfold_dataset* dataset,
                                                          crossfold_data_info* info);

/* A host chooses the order of the levels of its columns. This is the order in which data are read
 * where nothing declares one: by value if all `n_levels` names (distinct) are finite decimal
 * numbers, equal ones by bytes; else by bytes. places[i] becomes the place of levels[i], from 0. */
CROSSFOLD_API crossfold_status crossfold_order_levels(const char* const* levels, size_t n_levels,
                                                      size_t* places);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif
