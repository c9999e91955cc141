#include "launcher.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>

#include "crossfold_plugin/error.hpp"
#include "descriptor.h"

namespace crossfold::exec {
namespace {

// Above the numbers that the program will have, so that none of them is overwritten.
Descriptor Raised(int fd) {
  constexpr int kLowest = 16;
  return Descriptor(::fcntl(fd, F_DUPFD_CLOEXEC, kLowest));
}

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

struct Prepared {
  const char* program;
  char* const* arguments;
  char* const* environment;
  const char* folder;
  int input, output, text;
  pid_t parent;
};

// What the new process does before it becomes the program. It still shares the memory of this one,
// so it only makes system calls. Returns if it fails.
void BecomeProgram(const Prepared& prepared) {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return;
  if (::getppid() != prepared.parent) return;  // this process has ended meanwhile
  ::setpgid(0, 0);
  rlimit memory{};  // ChildProcess sets the limit of a request
  if (::getrlimit(RLIMIT_AS, &memory) == 0) {
    memory.rlim_cur = memory.rlim_max;
    ::setrlimit(RLIMIT_AS, &memory);
  }
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (::dup2(prepared.input, 0) < 0 || ::dup2(prepared.text, 1) < 0 ||
      ::dup2(prepared.text, 2) < 0 || ::dup2(prepared.output, 3) < 0 ||
      ::close_range(4, ~0u, 0) != 0 || ::chdir(prepared.folder) != 0) {
    return;
  }
  ::execve(prepared.program, prepared.arguments, prepared.environment);
}

// Returns the id of the new process, or -1 with the reason in `error`.
pid_t Fork(const Prepared& prepared, int& error) {
  sigset_t all, before;
  ::sigfillset(&all);
  // No handler of this process may run in the new one, which shares its memory.
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  volatile int failure = 0;
  const pid_t pid = ::vfork();
  if (pid == 0) {
    BecomeProgram(prepared);
    failure = errno;
    ::_exit(127);
  }
  error = pid < 0 ? errno : failure;
  if (pid > 0 && error != 0) ::waitpid(pid, nullptr, 0);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return pid;
}

}  // namespace

void RefuseStart(const std::string& program, int error) {
  const bool is_scarce = error == EAGAIN || error == EMFILE || error == ENFILE;
  throw plugin::Error(is_scarce         ? CF_E_IO
                      : error == ENOMEM ? CF_E_OUT_OF_MEMORY
                                        : CF_E_INTERNAL,
                      "cannot start '" + program + "': " + std::generic_category().message(error));
}

Launcher::~Launcher() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  asked_.notify_one();
  if (thread_.joinable()) thread_.join();
}

pid_t Launcher::Start(const Launch& launch) {
  std::unique_lock lock(mutex_);
  if (!thread_.joinable()) thread_ = std::thread([this] { Serve(); });
  Request request{launch};
  answered_.wait(lock, [this] { return wanted_ == nullptr; });  // another thread's program
  wanted_ = &request;
  asked_.notify_one();
  answered_.wait(lock, [&request] { return request.is_done; });
  if (request.error == 0) return request.pid;
  RefuseStart(launch.program, request.error);
}

void Launcher::Serve() {
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, nullptr);  // signals are for the host's threads
  std::unique_lock lock(mutex_);
  for (;;) {
    asked_.wait(lock, [this] { return wanted_ != nullptr || is_stopping_; });
    if (is_stopping_) return;
    Request& request = *wanted_;
    const Launch& launch = request.launch;
    const Descriptor input = Raised(launch.input), output = Raised(launch.output),
                     text = Raised(launch.text);
    const std::vector<char*> arguments = Pointers(launch.arguments);
    const std::vector<char*> environment = Pointers(launch.environment);
    if (!input.is_open() || !output.is_open() || !text.is_open()) {
      request.error = EMFILE;
    } else {
      request.pid = Fork({launch.program.c_str(), arguments.data(), environment.data(),
                          launch.folder.c_str(), input.get(), output.get(), text.get(), ::getpid()},
                         request.error);
    }
    request.is_done = true;
    wanted_ = nullptr;
    answered_.notify_all();
  }
}

}  // namespace crossfold::exec
