/* A transform learns a change of columns from training rows and applies it to any rows.
 * Part of crossfold_plugin.h, where the rules of the boundary stand. C99. */
#ifndef CROSSFOLD_PLUGIN_TRANSFORM_H
#define CROSSFOLD_PLUGIN_TRANSFORM_H

#include "crossfold_plugin/data.h"
#include "crossfold_plugin/host.h"
#include "crossfold_plugin/param.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- transform: (fit (apply)* destroy)* ------------------------------------------------------ */

/* Where a transform puts its output columns, in the order of the calls. Made by the host for one
 * apply(); not thread-safe. Fixed layout within major version 1 except for appended fields. */
typedef struct cf_column_sink cf_column_sink;
struct cf_column_sink {
  uint32_t struct_size;
  uint32_t reserved; /* 0 */
  void* sink_data;   /* the host's; do not touch */
  /* Appends a column and returns its buffer of rows->n_rows elements for the plugin to fill, or
   * NULL if the host refuses it: there is no memory, or the name (unique, UTF-8, not empty), the
   * type or the levels are wrong. Return CF_E_INTERNAL then; the host knows the reason. `flags` are
   * CF_COLUMN_... If `validity` is not NULL, a bitmap with all
   * rows present is made too and returned through it. Name and levels are copied. */
  void*(CF_CALL* add_column)(const cf_column_sink*, const char* name, int32_t dtype,
                             const char* const* levels, int64_t n_levels, uint32_t flags,
                             uint8_t** validity);
  /* Appends input column `feature` unchanged. */
  cf_status(CF_CALL* pass_column)(const cf_column_sink*, int64_t feature);
};

typedef struct cf_transform {
  uint32_t struct_size;
  uint32_t reserved; /* 0 */
  cf_info info;
  uint32_t tasks;   /* for which it may be used; it learns nothing else from the target's type */
  uint32_t accepts; /* CF_ACCEPTS_... */
  /* [threading] Learns from training rows only. REQUIRES: train->n_rows > 0. */
  cf_status(CF_CALL* fit)(const cf_call*, const cf_arg*, size_t n_args, const cf_table* train,
                          cf_model** out);
  /* [threading] Must emit the same columns (name, type, levels, order) for any rows, none
   * included. */
  cf_status(CF_CALL* apply)(const cf_call*, const cf_model*, const cf_table* rows,
                            const cf_column_sink* out);
  /* [any; CF_MT_NONE: with the other calls] NULL is allowed; never fails. */
  void(CF_CALL* destroy)(const cf_info* self, cf_model*);
  /* [any] A static table for one of the CF_CAP_ ids, or NULL. May itself be NULL. */
  const void*(CF_CALL* get_capability)(const cf_info* self, const char* id);
} cf_transform;

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif
