// Ctrl-C and SIGTERM while a command works.
#pragma once

#include <array>
#include <atomic>
#include <csignal>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <thread>

#include "crossfold/cancel_token.h"

namespace crossfold::cli {

struct InterruptOptions {
  std::shared_ptr<CancelToken> cancel;  // set at the first signal
  // Called at the first signal on the thread that made the Interrupt, inside the signal handler.
  // May be null.
  void (*stop)() = nullptr;
  // Writes to the disk what is finished; false = nothing keeps it. Called on a thread of its own,
  // perhaps while the command still works. May throw. Empty = nothing keeps anything.
  std::function<bool()> save = {};
  std::string command = {};  // the command line that continues where this one stops
  // Printed instead of how to continue, if there is nothing to keep; may be "".
  std::string message = {};
  // The process stays: it waits for the command, however long that takes, or for a second signal.
  // `save` is called when the command has come back.
  bool stays = false;
};

// The first signal asks the command to stop. If it has not returned 0.9 s later, what is finished
// is saved and the process exits with kInterrupted, whatever a plugin is doing. A second signal
// exits at once. There is one Interrupt at a time. With `stays` only the second signal exits.
class Interrupt {
 public:
  explicit Interrupt(InterruptOptions options);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // Must be called when the command has returned; restores the signal handlers. True if there was a
  // signal: what is finished is then saved, and stderr says how to continue.
  bool Finish();
  // The signal that came first; 0 = none did.
  int signal() const;

 private:
  static constexpr std::array kSignals = {SIGINT, SIGTERM};

  void Watch();
  // False if saving takes too long; it then still continues.
  bool SaveAndTell();

  const InterruptOptions options_;
  std::array<struct sigaction, kSignals.size()> previous_actions_{};
  int wake_read_ = -1, wake_write_ = -1;  // a pipe: signals and Finish() wake the watching thread
  std::atomic<bool> finished_{false};
  bool interrupted_ = false;  // of the watching thread while that runs
  std::thread watcher_;
};

// A line that a POSIX shell reads as these words.
std::string ShellText(std::span<const char* const> words);

}  // namespace crossfold::cli
