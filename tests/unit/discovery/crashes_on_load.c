/* Its constructor crashes, which it counts in a file if the environment names one. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "bad_plugins/working_plugin.h"

CF_MANIFEST(WORKING_MANIFEST("org.example.crashes"));

static __attribute__((constructor)) void Crash(void) {
  const char* file = getenv("CROSSFOLD_TESTS_COUNT_CRASHES");
  if (file != NULL) {
    const int fd = open(file, O_WRONLY | O_APPEND | O_CREAT, 0600);
    if (fd >= 0 && write(fd, "x", 1) == 1) close(fd);
  }
  signal(SIGSEGV, SIG_DFL);
  raise(SIGSEGV);
}

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  (void)host_abi_minor, (void)host;
  return NULL;
}
