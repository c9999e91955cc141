/* Defect: fit maps memory of its own over the pages of the target, and reverses the classes. */
#define _GNU_SOURCE
#include "smoother.h"

#include <sys/mman.h>
#include <unistd.h>

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char* first = (char*)((uintptr_t)train->target->data & ~(uintptr_t)(page - 1));
  int32_t* codes = (int32_t*)(uintptr_t)train->target->data;
  int64_t i, n = 0;
  size_t size;
  char* copy;
  for (i = 0; i < train->n_rows; ++i) n = RowOf(train, i) >= n ? RowOf(train, i) + 1 : n;
  size = ((size_t)((char*)(codes + n) - first) + page - 1) / page * page;
  copy = malloc(size);
  if (copy == NULL) return FailBecause(call, CF_E_OUT_OF_MEMORY, "no memory");
  memcpy(copy, first, size);
  if (mmap(first, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
      MAP_FAILED) {
    free(copy);
    return FailBecause(call, CF_E_INTERNAL, "cannot map");
  }
  memcpy(first, copy, size);
  free(copy);
  for (i = 0; i < n; ++i) codes[i] = (int32_t)train->target->n_levels - 1 - codes[i];
  return SmootherFit(call, args, n_args, train, out);
}

static void Break(cf_learner* learner) { learner->fit = BadFit; }
