#include "programs/cli/interrupt.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <exception>
#include <future>
#include <memory>
#include <system_error>
#include <utility>

#include "programs/cli/exit_code.h"

namespace crossfold::cli {
namespace {

using std::chrono::milliseconds, std::chrono::steady_clock;

// How long a command may take to come back, and saving what is finished.
constexpr milliseconds kPatience{900};
constexpr milliseconds kSaving{500};
// How long standard error may take to have room for a line.
constexpr milliseconds kTelling{100};
// One wait of poll().
constexpr milliseconds kLongest{86'400'000};

// What the signal handler may touch: it runs at any moment on any thread and can be given no
// argument. Never freed.
struct SignalState {
  std::atomic<int> count{0};
  std::atomic<int> first{0};  // the signal that came first
  std::atomic<CancelToken*> cancel{nullptr};
  std::atomic<void (*)()> stop{nullptr};
  std::atomic<bool> stop_asked{false};  // by another thread's handler
  std::atomic<int> wake{-1};            // descriptor to write to
  std::atomic<pthread_t> thread{};      // that made the Interrupt
};
SignalState state;
static_assert(std::atomic<pthread_t>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void Wake(int descriptor) {
  const char byte = 0;
  while (write(descriptor, &byte, 1) < 0 && errno == EINTR) {
  }
}

void OnFirst(int signal) {
  state.first = signal;
  if (CancelToken* cancel = state.cancel.load()) cancel->Cancel();
  if (const int descriptor = state.wake.load(); descriptor >= 0) Wake(descriptor);
  const pthread_t thread = state.thread.load();
  if (pthread_equal(pthread_self(), thread) != 0) {
    if (auto* stop = state.stop.load()) stop();
  } else {
    state.stop_asked = true;
    pthread_kill(thread, signal);
  }
}

void OnSignal(int signal) {
  const int error = errno;
  if (state.stop_asked.exchange(false)) {
    // If another thread took this for a signal of its own, the one that is still to come leaves.
    auto* stop = state.stop.load();
    if (stop != nullptr && pthread_equal(pthread_self(), state.thread.load()) != 0) stop();
  } else if (state.count.fetch_add(1) == 0) {
    OnFirst(signal);
  } else {
    _exit(kInterrupted);
  }
  errno = error;
}

// Waits until a byte arrives; false if none did until `end`.
bool WaitForByte(int descriptor, steady_clock::time_point end) {
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(end - steady_clock::now());
    const int wait = static_cast<int>(std::clamp(left, milliseconds(0), kLongest).count());
    pollfd waiting{descriptor, POLLIN, 0};
    const int ready = poll(&waiting, 1, wait);
    char byte = 0;
    if (ready > 0 && read(descriptor, &byte, 1) == 1) return true;
    if (ready == 0 && left <= kLongest) return false;
  }
}

// Standard output too: leaving at once would lose what the script printed. Not if another thread is
// about to write, which may wait for ever.
void FlushOutput() {
  if (ftrylockfile(stdout) != 0) return;
  fflush_unlocked(stdout);
  funlockfile(stdout);
}

void PrintError(const std::string& line) {
  const std::string text = "crossfold: " + line + "\n";
  // Not to a pipe that has no reader.
  pollfd waiting{STDERR_FILENO, POLLOUT, 0};
  if (poll(&waiting, 1, static_cast<int>(kTelling.count())) <= 0) return;
  // No lock and no buffer: another thread may have stopped inside either.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

std::string ShellQuoted(const std::string& word) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

Interrupt::Interrupt(InterruptOptions options) : options_(std::move(options)) {
  assert(state.wake.load() < 0);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot make a pipe");
  }
  wake_read_ = ends[0];
  wake_write_ = ends[1];
  // Before there is a watcher, which would take the signal of an earlier Interrupt for its own.
  state.count = 0;
  state.first = 0;
  state.stop_asked = false;
  try {
    watcher_ = std::thread([this] { Watch(); });
  } catch (const std::system_error& e) {
    close(wake_write_);
    close(wake_read_);
    throw std::system_error(e.code(), "cannot start the thread that waits for Ctrl-C");
  }
  state.cancel = options_.cancel.get();
  state.stop = options_.stop;
  state.thread = pthread_self();
  state.wake = wake_write_;
  struct sigaction action {};
  action.sa_handler = &OnSignal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : kSignals) sigaddset(&action.sa_mask, signal);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], &action, &previous_actions_[i]);
  }
}

Interrupt::~Interrupt() { Finish(); }

bool Interrupt::Finish() {
  if (!watcher_.joinable()) return interrupted_;
  finished_ = true;
  Wake(wake_write_);
  watcher_.join();
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], &previous_actions_[i], nullptr);
  }
  state.wake = -1;
  state.stop = nullptr;
  state.cancel = nullptr;
  close(wake_write_);
  close(wake_read_);
  return interrupted_;
}

void Interrupt::Watch() {
  while (state.count == 0 && !finished_) WaitForByte(wake_read_, steady_clock::time_point::max());
  if (state.count == 0) return;
  interrupted_ = true;
  const auto end = steady_clock::now() + kPatience;
  while (!finished_ && WaitForByte(wake_read_, end)) {
  }
  if (options_.stays) {
    if (!finished_) PrintError("stopping; Ctrl-C again exits at once");
    while (!finished_) WaitForByte(wake_read_, steady_clock::time_point::max());
  }
  const bool saved = SaveAndTell();
  if (!finished_ || (!saved && !options_.stays)) _exit(kInterrupted);
}

int Interrupt::signal() const { return state.first; }

bool Interrupt::SaveAndTell() {
  const auto save = std::make_shared<std::packaged_task<bool()>>([save = options_.save] {
    FlushOutput();
    return save && save();
  });
  std::future<bool> kept = save->get_future();
  try {
    std::thread([save] { (*save)(); }).detach();  // may hang on a full disk or wait for a lock
  } catch (const std::system_error&) {
    (*save)();  // no thread for it
  }
  const bool in_time = kept.wait_for(kSaving) == std::future_status::ready;
  bool is_kept = static_cast<bool>(options_.save);
  try {
    if (in_time) is_kept = kept.get();
  } catch (const std::exception& e) {
    PrintError(e.what());
  }
  if (!options_.message.empty()) {
    PrintError(options_.message);
    return in_time;
  }
  PrintError(is_kept ? "interrupted; to go on: " + options_.command
                     : "interrupted; nothing was stored; with --store FILE a run can go on where "
                       "it stopped");
  return in_time;
}

std::string ShellText(std::span<const char* const> words) {
  std::string text;
  for (const char* word : words) text += (text.empty() ? "" : " ") + ShellQuoted(word);
  return text;
}

}  // namespace crossfold::cli
