/* A context: plugins, defaults and callbacks of a host.
 * Part of crossfold.h, where the rules stand. C99. */
#ifndef CROSSFOLD_C_CONTEXT_H
#define CROSSFOLD_C_CONTEXT_H

#include "crossfold_c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- context ------------------------------------------------------------------------------- */

/* Where plugins are not looked for; in crossfold_options.flags. */
enum {
  CROSSFOLD_NO_ENVIRONMENT = 1,  /* not in CROSSFOLD_PLUGIN_PATH */
  CROSSFOLD_NO_USER_FOLDER = 2,  /* not in ~/.local/share/crossfold/plugins */
  CROSSFOLD_NO_INSTALLATION = 4, /* not in lib/crossfold/plugins beside the library */
  CROSSFOLD_NO_SHARING = 8       /* every cell a fit of its own: the same results, slower */
};

/* What a host sets for a context. All 0 and NULL are the defaults. */
typedef struct crossfold_options {
  uint32_t struct_size;
  uint32_t flags;                  /* CROSSFOLD_NO_... */
  const char* const* plugin_paths; /* files or folders, searched first */
  size_t n_plugin_paths;
  int32_t workers;  /* threads of a run; 0 = one a core */
  int32_t reserved; /* 0 */
  uint64_t memory;  /* bytes of work that runs share; 0 = half of the machine's */
  void* user;       /* handed to the callbacks */
  /* Gets one line without a newline, as what plugins log. `level`: 0 debug, 1 information, 2
   * warning, 3 error. From any thread of a run, at the same time as itself. */
  void (*log)(void* user, int32_t level, const char* message);
  /* Called after each cell (one learner on one split) of crossfold_evaluate, from any thread of the
   * run, one call at a time. Not 0 = stop: the call then returns CROSSFOLD_CANCELLED. */
  int32_t (*progress)(void* user, uint64_t finished, uint64_t total);
} crossfold_options;

/* Searches for plugins and loads none. `options` may be NULL. If it fails, *context is there all
 * the same, unless memory gave out, for crossfold_last_error() and crossfold_context_destroy(). */
CROSSFOLD_API crossfold_status crossfold_context_create(const crossfold_options* options,
                                                        crossfold_context** context);
/* Not while a call with it runs. */
CROSSFOLD_API void crossfold_context_destroy(crossfold_context* context);
/* What was wrong with the last call with this context that failed; "" = none has. Until the next
 * call with it. */
CROSSFOLD_API const char* crossfold_last_error(const crossfold_context* context);
/* Stops the call that runs, which returns CROSSFOLD_CANCELLED, and every later one until
 * crossfold_cancel_reset(). From any thread, at any time, also from a signal handler. */
CROSSFOLD_API void crossfold_cancel(crossfold_context* context);
/* Takes crossfold_cancel() back. From any thread. */
CROSSFOLD_API void crossfold_cancel_reset(crossfold_context* context);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif
