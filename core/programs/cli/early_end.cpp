#include "programs/cli/early_end.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "programs/cli/exit_code.h"

namespace crossfold::cli {
namespace {

constexpr std::array kFatalSignals = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

// For handlers, which get no argument. 0 = not watching. A forked child has another id.
std::atomic<pid_t> watched{0};
std::atomic<bool> crashed{false};
static_assert(std::atomic<pid_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

void Tell(std::string_view what) {
  constexpr std::string_view kWayOut =
      "; with --isolate worker, only the cell of the plugin would have failed\n";
  // A line that cannot be written is lost.
  [[maybe_unused]] ssize_t n = write(STDERR_FILENO, what.data(), what.size());
  n = write(STDERR_FILENO, kWayOut.data(), kWayOut.size());
}

void OnExit() {
  if (watched.load() != getpid()) return;
  std::fflush(stdout);
  Tell(
      "crossfold: the process ended before its work was done: a plugin or a library called exit()");
  _exit(kError);
}

// Threads that run the same plugin tend to crash together: the first one ends the process, after it
// has written the line, and the others wait for that.
void OnFatal(int signal) {
  if (crashed.exchange(true)) {
    for (;;) pause();
  }
  if (watched.load() == getpid()) {
    Tell("crossfold: the process ended before its work was done: it crashed");
  }
  std::signal(signal, SIG_DFL);
  raise(signal);  // it is blocked until this returns
}

// Leaves signals alone that a sanitizer or a debugger handles.
void HandleFatalSignals() {
  for (const int signal : kFatalSignals) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
    action.sa_handler = &OnFatal;
    action.sa_flags = SA_ONSTACK;
    sigfillset(&action.sa_mask);  // so that a crash of the handler itself ends the process
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace

EarlyEndWatch::EarlyEndWatch() {
  watched = getpid();
  std::atexit(&OnExit);
  std::at_quick_exit(&OnExit);
  HandleFatalSignals();
  stack_.emplace();
}

EarlyEndWatch::~EarlyEndWatch() { watched = 0; }

pid_t PauseEarlyEndWatch() { return watched.exchange(0); }

void ResumeEarlyEndWatch(pid_t paused) { watched = paused; }

}  // namespace crossfold::cli
