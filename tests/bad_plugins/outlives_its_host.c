/* Defect: if the environment names a file for its process id, fit closes every descriptor, kills
 * the process that started this one and never comes back. */
#include "smoother.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  const char* path = getenv("BAD_PLUGIN_PID");
  FILE* file = path != NULL ? fopen(path, "w") : NULL;
  if (file != NULL) {
    int fd;
    fprintf(file, "%ld\n", (long)getpid());
    fclose(file);
    for (fd = 0; fd < 1024; ++fd) close(fd);
    kill(getppid(), SIGKILL);
    for (;;) continue;
  }
  return SmootherFit(call, args, n_args, train, out);
}

static void Break(cf_learner* learner) { learner->fit = BadFit; }
