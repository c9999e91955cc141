// crossfold-worker: runs cells for another process, which starts it with a socket as descriptor 3
// (core/isolate); as "crossfold-worker --scan FILE LOCK" it tries a plugin and writes the answer to
// descriptor 3 (core/discovery/plugin_scan.h). It cannot be run by hand.
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <string_view>

#include "discovery/plugin_scan.h"
#include "isolate/worker_session.h"

namespace {

constexpr int kSocket = 3;  // or the pipe for the answer

bool HasSocket() {
  struct stat status {};
  return ::fstat(kSocket, &status) == 0 && S_ISSOCK(status.st_mode);
}

bool HasPipe() {
  struct stat status {};
  return ::fstat(kSocket, &status) == 0 && S_ISFIFO(status.st_mode);
}

// One byte and not 0: this keeps crash handlers (core patterns with a pipe) from running too, which
// look at no other limit. See do_coredump in Linux's fs/coredump.c.
void LeaveNoCore() {
  const rlimit one{1, 1};
  ::setrlimit(RLIMIT_CORE, &one);
}

// `ulimit -t` sets both limits, and the kernel sends SIGKILL at the hard one, which does not say
// why. SIGXCPU comes at the soft one.
void AskForSignalOfCpuLimit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_CPU, &limit) != 0 || limit.rlim_max == RLIM_INFINITY) return;
  if (limit.rlim_cur < limit.rlim_max || limit.rlim_max < 2) return;
  limit.rlim_cur = limit.rlim_max - 1;
  ::setrlimit(RLIMIT_CPU, &limit);
}

}  // namespace

int main(int argc, char** argv) {
  const bool scans = argc == 4 && std::string_view(argv[1]) == "--scan" && HasPipe();
  if (!scans && !HasSocket()) {
    std::fputs("crossfold-worker: cannot run by hand: crossfold starts it\n", stderr);
    return 2;
  }
  LeaveNoCore();
  AskForSignalOfCpuLimit();
  std::signal(SIGXFSZ, SIG_IGN);             // a write beyond `ulimit -f` then fails like any other
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // what a plugin prints before it ends the process
  try {
    if (scans) crossfold::AnswerScan(argv[2], argv[3], kSocket);
    crossfold::ServeItems(kSocket);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "crossfold-worker: %s\n", e.what());
    return 70;  // EX_SOFTWARE
  }
  return 0;
}
