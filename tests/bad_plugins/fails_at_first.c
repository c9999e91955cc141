/* Defect: if the environment names a folder, BAD_PLUGIN_TRIES, the first two fits of each cell fail
 * as BAD_PLUGIN_FAILURE says: "killed" (by SIGKILL), "crash" (it aborts), "disk" (there is no room),
 * "memory" (there is none for 96 MiB, at whatever try), "data" (it refuses them). */
#include "smoother.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* Counts the fits with one seed, which is that of the cell. */
static long CountTries(const char* folder, uint64_t seed) {
  char path[512];
  FILE* file;
  long size;
  snprintf(path, sizeof(path), "%s/%016llx", folder, (unsigned long long)seed);
  file = fopen(path, "ab");
  if (file == NULL) return 0;
  fputc('x', file);
  fflush(file);
  size = ftell(file);
  fclose(file);
  return size;
}

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  const char* folder = getenv("BAD_PLUGIN_TRIES");
  const char* failure = getenv("BAD_PLUGIN_FAILURE");
  const long tries = folder != NULL ? CountTries(folder, call->seed) : 0;
  if (folder != NULL && failure != NULL && strcmp(failure, "memory") == 0) {
    const size_t size = (size_t)96 << 20;
    char* memory = (char*)malloc(size);
    if (memory == NULL) return call->host->fail(call, CF_E_OUT_OF_MEMORY, "no memory");
    memset(memory, 1, size);
    free(memory);
  } else if (folder != NULL && failure != NULL && tries <= 2) {
    if (strcmp(failure, "killed") == 0) raise(SIGKILL);
    if (strcmp(failure, "crash") == 0) abort();
    if (strcmp(failure, "disk") == 0) return call->host->fail(call, CF_E_IO, "no room on the disk");
    if (strcmp(failure, "data") == 0) return call->host->fail(call, CF_E_NUMERIC, "not these data");
  }
  return SmootherFit(call, args, n_args, train, out);
}

static void Break(cf_learner* learner) { learner->fit = BadFit; }
