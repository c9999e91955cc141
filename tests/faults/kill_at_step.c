// A library for LD_PRELOAD that kills its process with SIGKILL at the KILL_AT-th call that changes the
// file system, just before the call is made. Without KILL_AT it counts, and writes the number of calls
// to the file COUNT_TO when the process ends.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;

static void step(void) {
  const char* at = getenv("KILL_AT");
  if (++calls == (at == NULL ? 0 : atol(at))) kill(getpid(), SIGKILL);
}

__attribute__((destructor)) static void report(void) {
  const char* path = getenv("COUNT_TO");
  FILE* file = path == NULL ? NULL : fopen(path, "w");
  if (file == NULL) return;
  fprintf(file, "%ld\n", (long)calls);
  fclose(file);
}

// The function of that name in the next library. POSIX says that its address may be converted; C does not.
#define NEXT(name) (__extension__(__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = va_arg(list, mode_t);
  va_end(list);
  if ((flags & (O_CREAT | O_TRUNC)) != 0) step();
  return NEXT(open)(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = va_arg(list, mode_t);
  va_end(list);
  if ((flags & (O_CREAT | O_TRUNC)) != 0) step();
  return NEXT(open64)(path, flags, mode);
}

ssize_t write(int fd, const void* bytes, size_t n) {
  if (fd > STDERR_FILENO) step();
  return NEXT(write)(fd, bytes, n);
}

int fsync(int fd) {
  step();
  return NEXT(fsync)(fd);
}

int ftruncate(int fd, off_t size) {
  step();
  return NEXT(ftruncate)(fd, size);
}

int ftruncate64(int fd, off64_t size) {
  step();
  return NEXT(ftruncate64)(fd, size);
}

int rename(const char* from, const char* to) {
  step();
  return NEXT(rename)(from, to);
}

int mkdir(const char* path, mode_t mode) {
  step();
  return NEXT(mkdir)(path, mode);
}

char* mkdtemp(char* pattern) {
  step();
  return NEXT(mkdtemp)(pattern);
}

int unlink(const char* path) {
  step();
  return NEXT(unlink)(path);
}

int unlinkat(int fd, const char* path, int flags) {
  step();
  return NEXT(unlinkat)(fd, path, flags);
}

int rmdir(const char* path) {
  step();
  return NEXT(rmdir)(path);
}
