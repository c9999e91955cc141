// Ends of the process that the program did not request.
#pragma once

#include <sys/types.h>

#include <optional>

#include "crossfold/signal_stack.h"

namespace crossfold::cli {

// While it lives, exit() and quick_exit() of a plugin or a library end the process with status 1
// and a line on stderr; fatal signals also print one. _exit() and SIGKILL cannot be caught. One
// object at a time.
class EarlyEndWatch {
 public:
  EarlyEndWatch();
  ~EarlyEndWatch();
  EarlyEndWatch(const EarlyEndWatch&) = delete;
  EarlyEndWatch& operator=(const EarlyEndWatch&) = delete;

 private:
  std::optional<SignalStack> stack_;  // as soon as there are handlers
};

// From here on the end of the process is wanted. Returns what ResumeEarlyEndWatch takes.
pid_t PauseEarlyEndWatch();
void ResumeEarlyEndWatch(pid_t paused);

}  // namespace crossfold::cli
