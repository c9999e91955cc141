/* A context: plugins, defaults and callbacks of a host.
 * This is a part of crossfold.h, which states the rules. C99. */
#ifndef CROSSFOLD_C_CONTEXT_H
#define CROSSFOLD_C_CONTEXT_H

#include "crossfold_c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- context ------------------------------------------------------------------------------- */

/* Flags of crossfold_options: places that are not searched for plugins, and sharing. */
enum {
  CROSSFOLD_NO_ENVIRONMENT = 1,  /* not in CROSSFOLD_PLUGIN_PATH */
  CROSSFOLD_NO_USER_FOLDER = 2,  /* not in ~/.local/share/crossfold/plugins */
  CROSSFOLD_NO_INSTALLATION = 4, /* not in lib/crossfold/plugins next to the library */
  CROSSFOLD_NO_SHARING = 8       /* every cell a fit of its own: the same results, slower */
};

/* Settings of a context. 0 and NULL everywhere are the defaults. */
typedef struct crossfold_options {
  uint32_t struct_size;
  uint32_t flags;                  /* CROSSFOLD_NO_... */
  const char* const* plugin_paths; /* files or folders, searched first */
  size_t n_plugin_paths;
  int32_t workers;  /* threads of a run; 0 = one per core */
  int32_t reserved; /* 0 */
  uint64_t memory;  /* bytes of work that runs share; 0 = half of the machine's */
  void* user;       /* passed to the callbacks */
  /* Gets one line without a newline, such as a line that a plugin logs. `level`: 0
   * debug, 1 information, 2 warning, 3 error. Any thread of a run may call it, several at the same
   * time. */
  void (*log)(void* user, int32_t level, const char* message);
  /* Called after each cell (one learner on one split) of crossfold_evaluate, from any thread of the
   * run, one call at a time. If it does not return 0, the run stops as after
   * crossfold_cancel(). */
  int32_t (*progress)(void* user, uint64_t finished, uint64_t total);
  /* Path of a lock (`crossfold plugin trust` writes crossfold.lock): plugins that are not in it,
   * byte for byte, are not used. NULL = no lock. Bundled plugins need an entry, too. */
  const char* lock;
} crossfold_options;

/* Searches for plugins and loads none. `options` may be NULL. If it fails, *context is still made
 * (unless there is no memory), for crossfold_last_error() and crossfold_context_destroy(). */
CROSSFOLD_API crossfold_status crossfold_context_create(const crossfold_options* options,
                                                        crossfold_context** context);
/* Must not be called while a call with the context runs. */
CROSSFOLD_API void crossfold_context_destroy(crossfold_context* context);
/* Returns the reason why the last failed call with this context failed; "" = none has failed. It is
 * valid until the next call with the context. */
CROSSFOLD_API const char* crossfold_last_error(const crossfold_context* context);
/* Stops the call that runs, which returns CROSSFOLD_CANCELLED, and every later one until
 * crossfold_cancel_reset(). May be called from any thread at any time, or in a signal handler. */
CROSSFOLD_API void crossfold_cancel(crossfold_context* context);
/* Takes crossfold_cancel() back. May be called from any thread. */
CROSSFOLD_API void crossfold_cancel_reset(crossfold_context* context);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif
