/* What every call of the boundary needs: saying why it failed, and memory that ends with it. */
#ifndef CALL_H
#define CALL_H

#include <crossfold_plugin.h>
#include <stdio.h>

/* Tells the host why the call fails. The result is to be returned: return fail(call, ...). */
static inline cf_status fail(const cf_call* call, cf_status code, const char* message) {
  if (CF_HAS(call->host, cf_host, fail) && call->host->fail != NULL) {
    call->host->fail(call, code, message);
  }
  return code;
}

/* n zeroed objects of `size` bytes, which the host frees when the call returns; NULL = there is no
 * more memory. Never asks for 0 bytes. */
static inline void* scratch(const cf_call* call, int64_t n, size_t size) {
  return call->host->scratch(call, (size_t)(n > 0 ? n : 1) * size, sizeof(double));
}

static inline cf_status fail_memory(const cf_call* call) {
  return fail(call, CF_E_OUT_OF_MEMORY, "out of memory");
}

#endif
