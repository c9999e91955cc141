// crossfold-checker: runs one check of a plugin for another process, which starts it with a pipe as
// descriptor 3 (sdk/check). It cannot be run by hand: see crossfold plugin check --in-process.
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "check/check_task.h"
#include "discovery/child_program.h"

namespace {

bool HasPipe() {
  struct stat status {};
  return ::fstat(crossfold::kChildChannel, &status) == 0 && S_ISFIFO(status.st_mode);
}

// One byte and not 0: see core/programs/worker/main.cpp.
void LeaveNoCore() {
  const rlimit one{1, 1};
  ::setrlimit(RLIMIT_CORE, &one);
}

// A check may have started this process to compare with its own: it ends if that one is killed.
void EndWithTheParent() { ::prctl(PR_SET_PDEATHSIG, SIGKILL); }

bool Tell(const std::string& text) {
  return ::write(crossfold::kChildChannel, text.data(), text.size()) ==
         static_cast<ssize_t>(text.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (!HasPipe()) {
    std::fputs("crossfold-checker: cannot run by hand: crossfold plugin check starts it\n", stderr);
    return 2;
  }
  LeaveNoCore();
  EndWithTheParent();
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // what a plugin prints before it ends the process
  try {
    using namespace crossfold::check;
    const CheckTask task = ParseArguments({argv + 1, argv + argc});
    const Verdict verdict = RunTask(task, std::filesystem::read_symlink("/proc/self/exe"));
    if (!Tell(ToText(verdict))) return 70;  // EX_SOFTWARE
    // The actions of a plugin at the end of the process are the subject of one check only.
    if (!verdict.ends_normally) ::_exit(0);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "crossfold-checker: %s\n", e.what());
    return 70;
  }
  return 0;
}
