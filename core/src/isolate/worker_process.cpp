#include "isolate/worker_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>
#include <vector>

#include "crossfold/error.h"

namespace crossfold {
namespace {

// Predictions of a hundred million rows fit.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 36;
constexpr std::size_t kMostWritten = 2048;
constexpr int kWorkerSocket = 3;  // in the worker

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  int get() const { return fd_; }
  int Release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

[[noreturn]] void Refuse(const std::filesystem::path& program, int error) {
  throw Error(ErrorKind::kIo, "cannot start worker process '" + program.string() +
                                  "': " + std::generic_category().message(error));
}

// Above the numbers that the worker is to have, so that none of them is overwritten.
Descriptor Raised(Descriptor fd, const std::filesystem::path& program) {
  constexpr int kLowest = 16;
  Descriptor raised(::fcntl(fd.get(), F_DUPFD_CLOEXEC, kLowest));
  if (raised.get() < 0) Refuse(program, errno);
  return raised;
}

struct Ends {
  Descriptor ours, theirs;
};

Ends MakeSocket(const std::filesystem::path& program) {
  int fds[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) Refuse(program, errno);
  Ends ends{Descriptor(fds[0]), Descriptor(fds[1])};
  ends.theirs = Raised(std::move(ends.theirs), program);
  return ends;
}

Ends MakePipe(const std::filesystem::path& program) {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) Refuse(program, errno);
  Ends ends{Descriptor(fds[0]), Descriptor(fds[1])};
  ::fcntl(ends.ours.get(), F_SETFL, O_NONBLOCK);
  ends.theirs = Raised(std::move(ends.theirs), program);
  return ends;
}

// This process's, but that libraries of plugins start no threads of their own: cells are what runs
// at the same time.
std::vector<std::string> Environment() {
  std::vector<std::string> variables = {"OMP_NUM_THREADS=1"};
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    if (std::strncmp(*variable, "OMP_NUM_THREADS=", 16) != 0) variables.emplace_back(*variable);
  }
  return variables;
}

struct FileActions {
  posix_spawn_file_actions_t actions;
  FileActions(int socket, int output) {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, output, 1);
    ::posix_spawn_file_actions_adddup2(&actions, output, 2);
    ::posix_spawn_file_actions_adddup2(&actions, socket, kWorkerSocket);
    ::posix_spawn_file_actions_addclosefrom_np(&actions, kWorkerSocket + 1);
  }
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions); }
};

// A group of its own, which Ctrl-C does not reach and which can be killed as a whole; no signal
// blocked or ignored.
struct Attributes {
  posix_spawnattr_t attributes;
  Attributes() {
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &all);
  }
  ~Attributes() { ::posix_spawnattr_destroy(&attributes); }
};

pid_t Spawn(const std::filesystem::path& program, int socket, int output) {
  const FileActions files(socket, output);
  const Attributes attributes;
  std::string name = "crossfold-worker";
  char* const arguments[] = {name.data(), nullptr};
  std::vector<std::string> variables = Environment();
  std::vector<char*> environment;
  for (std::string& variable : variables) environment.push_back(variable.data());
  environment.push_back(nullptr);
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, program.c_str(), &files.actions, &attributes.attributes,
                                  arguments, environment.data());
  if (error != 0) Refuse(program, error);
  return pid;
}

// Milliseconds for poll, rounded up, so that it is not called again and again in the last one.
int MillisecondsUntil(WorkerProcess::Clock::time_point until) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(until - WorkerProcess::Clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000));
}

}  // namespace

WorkerProcess::WorkerProcess(const std::filesystem::path& program) : in_(kMostBytes) {
  Ends socket = MakeSocket(program);
  Ends output = MakePipe(program);
  pid_ = Spawn(program, socket.theirs.get(), output.theirs.get());
  // glibc 2.36 declares its function for C only.
  pidfd_ = static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0));
  socket_ = socket.ours.Release();
  stderr_ = output.ours.Release();
  if (pidfd_ >= 0) return;
  const int error = errno;
  Kill();
  Refuse(program, error);
}

WorkerProcess::~WorkerProcess() { Kill(); }

void WorkerProcess::Send(MessageType type, std::string_view body,
                         std::shared_ptr<const SealedMemory> memory) {
  if (out_.empty() || memory != nullptr || out_.back().memory != nullptr) {
    out_.push_back({"", std::move(memory)});
  }
  AppendFrame(type, body, out_.back().bytes);
}

std::optional<Frame> WorkerProcess::Wait(Clock::time_point until) {
  for (;;) {
    if (!out_.empty()) SendQueued();
    if (auto frame = in_.Next()) return frame;
    if (has_ended_) return std::nullopt;
    const auto wanted = static_cast<short>(POLLIN | (out_.empty() ? 0 : POLLOUT));
    std::array<pollfd, 3> watched = {pollfd{is_hung_up_ ? -1 : socket_, wanted, 0},
                                     pollfd{stderr_, POLLIN, 0}, pollfd{pidfd_, POLLIN, 0}};
    const int n = ::poll(watched.data(), watched.size(), MillisecondsUntil(until));
    if (n == 0 && Clock::now() >= until) return std::nullopt;
    if (n <= 0) continue;  // a signal, perhaps
    const bool ended = watched[2].revents != 0;
    if (watched[1].revents != 0) ReadWritten();
    if (watched[0].revents != 0 && ReceiveSome() == Received::kEnd) HangUp();
    if (!ended && !is_hung_up_) continue;
    while (!is_hung_up_ && ReceiveSome() == Received::kBytes) {  // all that came before the end
    }
    ReadWritten();
    has_ended_ = true;
  }
}

void WorkerProcess::SendQueued() {
  while (!out_.empty()) {
    Outgoing& next = out_.front();
    iovec place{next.bytes.data() + sent_, next.bytes.size() - sent_};
    msghdr message{};
    message.msg_iov = &place;
    message.msg_iovlen = 1;
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    if (next.memory != nullptr && sent_ == 0) {
      message.msg_control = control.data();
      message.msg_controllen = control.size();
      cmsghdr* part = CMSG_FIRSTHDR(&message);
      part->cmsg_level = SOL_SOCKET;
      part->cmsg_type = SCM_RIGHTS;
      part->cmsg_len = CMSG_LEN(sizeof(int));
      const int fd = next.memory->fd();
      std::memcpy(CMSG_DATA(part), &fd, sizeof(int));
    }
    const ssize_t n = ::sendmsg(socket_, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (n < 0) return out_.clear();  // it is gone, as the poll will tell
    sent_ += static_cast<std::size_t>(n);
    if (sent_ < next.bytes.size()) continue;
    out_.pop_front();
    sent_ = 0;
  }
}

// A process that has closed its socket is of no use, and is about to end.
void WorkerProcess::HangUp() {
  constexpr int kMilliseconds = 1000;
  is_hung_up_ = true;
  pollfd watched{pidfd_, POLLIN, 0};
  ::poll(&watched, 1, kMilliseconds);
}

WorkerProcess::Received WorkerProcess::ReceiveSome() {
  std::array<char, 64 * 1024> bytes;
  for (;;) {
    const ssize_t n = ::recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n > 0) {
      in_.Append({bytes.data(), static_cast<std::size_t>(n)});
      return Received::kBytes;
    }
    const bool is_empty = n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    return is_empty ? Received::kNothing : Received::kEnd;
  }
}

void WorkerProcess::ReadWritten() {
  if (stderr_ < 0) return;
  std::array<char, 4096> bytes;
  // Bounded, for a process may write without end.
  for (int i = 0; i < 64; ++i) {
    const ssize_t n = ::read(stderr_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) {  // closed on the other side: nothing to poll for any more
      ::close(stderr_);
      stderr_ = -1;
    }
    if (n <= 0) return;
    written_.append(bytes.data(), static_cast<std::size_t>(n));
    if (written_.size() > kMostWritten) written_.erase(0, written_.size() - kMostWritten);
  }
}

Ending WorkerProcess::Kill() {
  Ending ending;
  if (pid_ < 0) return ending;
  // The group first: as long as its leader was not waited for, its number belongs to nobody else.
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);  // if it is in no group of its own yet, or in another one
  int status = 0;
  pid_t waited = 0;
  do {
    waited = ::waitpid(pid_, &status, 0);
  } while (waited < 0 && errno == EINTR);
  if (waited == pid_ && WIFEXITED(status)) ending.code = WEXITSTATUS(status);
  if (waited == pid_ && WIFSIGNALED(status)) ending.signal = WTERMSIG(status);
  pid_ = -1;
  has_ended_ = true;
  for (int* fd : {&socket_, &stderr_, &pidfd_}) {
    if (*fd >= 0) ::close(*fd);
    *fd = -1;
  }
  return ending;
}

}  // namespace crossfold
