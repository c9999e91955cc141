/* Learners that make hosts fail and not the kit: for tests/cli/isolation_test.lua,
 * tests/cli/retries_test.lua and bad_plugins_test.cpp. */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "disturbances.h"
#include "smoother_reports.h"

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

static cf_status CF_CALL FitAtThird(const cf_call* call, const cf_arg* args, size_t n_args,
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
static void FailAtFirst(SmootherParts* parts) { parts->learner.fit = FitAtThird; }

static cf_status CF_CALL FitReversed(const cf_call* call, const cf_arg* args, size_t n_args,
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
static void MapOverColumns(SmootherParts* parts) { parts->learner.fit = FitReversed; }

static void KillTheHost(void) {
  const char* path = getenv("BAD_PLUGIN_PID");
  FILE* file = path != NULL ? fopen(path, "w") : NULL;
  int fd;
  if (file == NULL) return;
  fprintf(file, "%ld\n", (long)getpid());
  fclose(file);
  for (fd = 0; fd < 1024; ++fd) close(fd);
  kill(getppid(), SIGKILL);
  for (;;) continue;
}

static cf_status CF_CALL FitAndRoundUp(const cf_call* call, const cf_arg* args, size_t n_args,
                                       const cf_table* train, cf_model** out) {
  RoundUp();
  return WorkingFit(call, args, n_args, train, out);
}
static void RoundInFit(SmootherParts* parts) { parts->learner.fit = FitAndRoundUp; }

static const Defect kDefects[] = {
    {"bad.fails_at_first",
     "If the environment names a folder, BAD_PLUGIN_TRIES, the first two fits of each cell fail as "
     "BAD_PLUGIN_FAILURE says: 'killed' (by SIGKILL), 'crash' (it aborts), 'disk' (there is no "
     "room), 'memory' (there is none for 96 MiB, at whatever try), 'data' (it refuses them).",
     .change = FailAtFirst},
    {"bad.maps_over_columns",
     "Fit maps memory of its own over the pages of the target, and reverses the classes.",
     .change = MapOverColumns},
    {"bad.outlives_its_host",
     "If the environment names a file for its process id, BAD_PLUGIN_PID, fit closes every "
     "descriptor, kills the process that started this one and never comes back.",
     .disturb = KillTheHost},
    {"bad.rounds_in_fit", "Fit looks at no data, changes the rounding mode and leaves it so.",
     .change = RoundInFit},
};

#include "learners_of_hosts.manifest.h"

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  (void)host_abi_minor, (void)host;
  return EnterDefects("bad.learners_of_hosts", kDefects, sizeof(kDefects) / sizeof(kDefects[0]));
}
