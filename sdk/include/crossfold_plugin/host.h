/* What the host offers a plugin, and the context of one call.
 * Part of crossfold_plugin.h, where the rules of the boundary stand. C99. */
#ifndef CROSSFOLD_PLUGIN_HOST_H
#define CROSSFOLD_PLUGIN_HOST_H

#include "crossfold_plugin/param.h"
#include "crossfold_plugin/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what the host offers ----------------------------------------------------------------- */

enum { CF_LOG_DEBUG = 0, CF_LOG_INFO = 1, CF_LOG_WARN = 2, CF_LOG_ERROR = 3 };

typedef struct cf_host cf_host;
typedef struct cf_call cf_call;
struct cf_host {
  uint32_t struct_size;
  uint32_t abi_minor;
  void* host_data; /* the host's; do not touch */
  const char* name;
  const char* version;
  /* [any] One line without a newline. */
  void(CF_CALL* log)(const cf_host*, int32_t level, const char* message);
  /* [any] A static table of a host service that this header does not have, or NULL. A 1.0 host
   * offers none. */
  const void*(CF_CALL* get_extension)(const cf_host*, const char* id);
  /* [any] The reason of the status that this call is about to return. Returns `code`, so that a
   * plugin writes: return host->fail(call, code, message). The message is copied; the first one
   * counts. */
  cf_status(CF_CALL* fail)(const cf_call*, cf_status code, const char* message);
  /* [any] Says how far the call is, 0 to 1. Returns 1 if the call should stop now and return
   * CF_E_CANCELLED. Cheap: call it every few thousand steps. */
  int32_t(CF_CALL* progress)(const cf_call*, double done);
  /* [one thread of the call at a time] The next n numbers of SplitMix64 started at call->seed. */
  void(CF_CALL* random_u64)(const cf_call*, uint64_t* out, size_t n);
  /* [any] Zeroed memory that the host frees when the call returns; NULL = out of memory.
   * `align` is a power of two. */
  void*(CF_CALL* scratch)(const cf_call*, size_t bytes, size_t align);
};

/* One call into a plugin. Everything that belongs to the call hangs on it, so threads that the
 * plugin starts during the call may use it too. */
struct cf_call {
  uint32_t struct_size;
  uint32_t n_threads; /* budget, not a hint: run at most so many threads, this one included */
  const cf_host* host;
  void* call_data;     /* the host's; do not touch */
  uint64_t seed;       /* the only source of randomness: equal seeds must give equal bytes */
  const cf_info* self; /* the info of the component that is called, in its own table */
};

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif
