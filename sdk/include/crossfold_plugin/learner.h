/* A learner turns training rows into predictions.
 * Part of crossfold_plugin.h, where the rules of the boundary stand. C99. */
#ifndef CROSSFOLD_PLUGIN_LEARNER_H
#define CROSSFOLD_PLUGIN_LEARNER_H

#include "crossfold_plugin/data.h"
#include "crossfold_plugin/host.h"
#include "crossfold_plugin/param.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- learner: (fit (predict)* destroy)* ------------------------------------------------------ */

enum { CF_TASK_BINARY = 1u, CF_TASK_MULTICLASS = 2u, CF_TASK_REGRESSION = 4u };
enum {
  CF_ACCEPTS_MISSING = 1u,
  CF_ACCEPTS_CATEGORICAL = 2u,
  CF_ACCEPTS_WEIGHTS = 4u,
  CF_ACCEPTS_NUMERIC = 8u,
  CF_ACCEPTS_NO_FEATURES = 16u
};

typedef struct cf_learner {
  uint32_t struct_size;
  uint32_t reserved; /* 0 */
  cf_info info;
  uint32_t tasks;   /* CF_TASK_... */
  uint32_t accepts; /* CF_ACCEPTS_...; the host refuses other data by name before any call */
  /* [threading] REQUIRES: train->target != NULL, train->n_rows > 0. ENSURES: *out != NULL after
   * CF_OK; the model borrows nothing from the call. */
  cf_status(CF_CALL* fit)(const cf_call*, const cf_arg*, size_t n_args, const cf_table* train,
                          cf_model** out);
  /* [threading] Writes out->labels (classification) or out->values (regression). The columns are
   * those of fit, in the same order; rows->target is NULL; rows->n_rows may be 0. */
  cf_status(CF_CALL* predict)(const cf_call*, const cf_model*, const cf_table* rows,
                              cf_prediction* out);
  /* [any; CF_MT_NONE: with the other calls] NULL is allowed; never fails. */
  void(CF_CALL* destroy)(const cf_info* self, cf_model*);
  /* [any] A static table for one of the CF_CAP_ ids, or NULL. May itself be NULL. */
  const void*(CF_CALL* get_capability)(const cf_info* self, const char* id);
} cf_learner;

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif
