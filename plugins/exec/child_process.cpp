#include "child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include "crossfold_plugin/error.hpp"

namespace crossfold::exec {
namespace {

constexpr std::size_t kMaxFrame = std::size_t{64} << 20;
constexpr std::size_t kMaxText = 2048;  // bytes of what the process wrote that are kept
constexpr std::chrono::milliseconds kWatchInterval(50);
constexpr std::chrono::seconds kGrace(2);  // after SIGINT

std::string FindProgram(const std::string& name, const std::string& folder) {
  if (name.find('/') != std::string::npos) return folder + "/" + name;
  const char* path = std::getenv("PATH");
  for (std::string_view rest = path == nullptr ? "/usr/bin:/bin" : path; !rest.empty();) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    const std::string file = std::string(rest.substr(0, colon)) + "/" + name;
    rest.remove_prefix(std::min(colon + 1, rest.size()));
    if (file[0] == '/' && ::access(file.c_str(), X_OK) == 0) return file;
  }
  throw plugin::Error(CF_E_INTERNAL, "there is no program '" + name + "' on the PATH; install it");
}

std::vector<std::string> EnvironmentWith(const std::vector<std::string>& variables) {
  std::vector<std::string> all = variables;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view all_of_it(*variable);
    const std::string_view name = all_of_it.substr(0, all_of_it.find('=') + 1);
    const bool is_replaced =
        std::any_of(variables.begin(), variables.end(),
                    [&](const std::string& other) { return other.starts_with(name); });
    if (!is_replaced) all.emplace_back(*variable);
  }
  return all;
}

struct Ends {
  Descriptor ours, theirs;
};

Ends MakePipe(const std::string& program) {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) RefuseStart(program, errno);
  ::fcntl(fds[0], F_SETFL, O_NONBLOCK);
  return {Descriptor(fds[0]), Descriptor(fds[1])};
}

// A socket, because writing to one whose other end is closed can be made an error without SIGPIPE.
Ends MakeSocket(const std::string& program) {
  int fds[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) RefuseStart(program, errno);
  return {Descriptor(fds[0]), Descriptor(fds[1])};
}

// Reads what is there without waiting. Returns false if the other side has closed its end.
bool ReadAvailable(const Descriptor& from, std::string& to, std::size_t maximum) {
  std::array<char, 65536> bytes;
  while (to.size() < maximum) {
    const ssize_t n = ::read(from.get(), bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 && errno == EAGAIN;
    to.append(bytes.data(), static_cast<std::size_t>(n));
  }
  return true;
}

// Returns lines as one line.
std::string OneLine(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  std::string line;
  for (const char c : text) line += c == '\n' ? std::string(" | ") : std::string(1, c);
  return line;
}

// The address space of a process, from proc(5).
rlim_t MappedBytes(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/statm");
  rlim_t pages = 0;
  file >> pages;
  return pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

// Whether another process has ended it: the kernel when there was no memory left, or someone else.
bool WasEndedFromOutside(int status) {
  if (!WIFSIGNALED(status)) return false;
  const int signal = WTERMSIG(status);
  return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP ||
         signal == SIGXCPU;  // `ulimit -t`
}

std::string DescribeEnd(int status) {
  if (!WIFSIGNALED(status)) return "with exit code " + std::to_string(WEXITSTATUS(status));
  const char* name = ::sigdescr_np(WTERMSIG(status));
  std::string text = "by signal " + std::to_string(WTERMSIG(status));
  if (name != nullptr) text += " (" + std::string(name) + ")";
  return text;
}

}  // namespace

ChildProcess::ChildProcess(Launcher& launcher, const std::string& folder,
                           const std::vector<std::string>& arguments,
                           const std::vector<std::string>& variables) {
  const std::string program = FindProgram(arguments.front(), folder);
  Ends input = MakeSocket(program), output = MakePipe(program), text = MakePipe(program);
  pid_ = launcher.Start({program, arguments, EnvironmentWith(variables), folder, input.theirs.get(),
                         output.theirs.get(), text.theirs.get()});
  to_ = std::move(input.ours);
  from_ = std::move(output.ours);
  text_ = std::move(text.ours);
  process_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
}

ChildProcess::~ChildProcess() { Kill(); }

bool ChildProcess::IsAlive() const {
  pollfd ended{process_.get(), POLLIN, 0};
  return pid_ > 0 && (!process_.is_open() || ::poll(&ended, 1, 0) == 0);
}

// The host may limit its own memory for the time of a call. The process gets as much room as that
// leaves, in addition to what it has already.
void ChildProcess::FollowMemoryLimit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0) return;
  const bool is_limited = limit.rlim_cur != RLIM_INFINITY;
  if (!is_limited && !is_limited_) return;
  if (is_limited) {
    const rlim_t ours = MappedBytes(::getpid()), theirs = MappedBytes(pid_);
    limit.rlim_cur = theirs + (limit.rlim_cur > ours ? limit.rlim_cur - ours : 0);
    limit.rlim_cur = std::min(limit.rlim_cur, limit.rlim_max);
  }
  ::prlimit(pid_, RLIMIT_AS, &limit, nullptr);
  is_limited_ = is_limited;
}

void ChildProcess::Send(std::string_view text, std::string_view blob, const Watch& watch) {
  if (pid_ <= 0) ThrowEnded();
  is_cancelled_ = false;
  written_.clear();
  FollowMemoryLimit();
  std::string frame;
  for (int shift = 0; shift < 32; shift += 8) {
    frame += static_cast<char>(static_cast<std::uint32_t>(text.size()) >> shift & 0xFF);
  }
  frame += text;
  for (std::string_view rest : {std::string_view(frame), blob}) {
    while (!rest.empty()) {
      SendSome(rest);
      if (rest.empty()) break;
      if (has_ended_) ThrowEnded();
      Wait(POLLOUT, watch);
    }
  }
}

void ChildProcess::SendSome(std::string_view& bytes) {
  const ssize_t n = ::send(to_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (n >= 0) return bytes.remove_prefix(static_cast<std::size_t>(n));
  if (errno != EAGAIN && errno != EINTR) ThrowEnded();
}

std::string ChildProcess::Receive(const Watch& watch) {
  const std::string head = ReceiveBytes(4, watch);
  std::size_t size = 0;
  for (int i = 3; i >= 0; --i) size = size << 8 | static_cast<unsigned char>(head[i]);
  if (size > kMaxFrame) Reject("sent something that is not a message");
  return ReceiveBytes(size, watch);
}

std::string ChildProcess::ReceiveBytes(std::size_t n, const Watch& watch) {
  if (pid_ <= 0) ThrowEnded();
  while (received_.size() < n) {
    if (has_ended_) ThrowEnded();
    Wait(0, watch);
  }
  std::string bytes = received_.substr(0, n);
  received_.erase(0, n);
  return bytes;
}

// Waits until something happens, and reads what the process has sent and written.
void ChildProcess::Wait(short events, const Watch& watch) {
  std::array<pollfd, 4> watched = {pollfd{from_.get(), POLLIN, 0}, pollfd{text_.get(), POLLIN, 0},
                                   pollfd{process_.get(), POLLIN, 0}, pollfd{to_.get(), events, 0}};
  const int n = ::poll(watched.data(), watched.size(), static_cast<int>(kWatchInterval.count()));
  if (n > 0 && watched[1].revents != 0) ReadText();
  if (n > 0 && (watched[0].revents != 0 || watched[2].revents != 0)) {
    const bool is_open = ReadAvailable(from_, received_, std::max(received_.size() + 1, kMaxFrame));
    // The end of the process counts, too, because a child of it may hold the channel open.
    has_ended_ = !is_open || watched[2].revents != 0;
  }
  if (Clock::now() >= next_watch_) CheckCancel(watch);
}

void ChildProcess::CheckCancel(const Watch& watch) {
  next_watch_ = Clock::now() + kWatchInterval;
  if (is_cancelled_ && Clock::now() >= kill_at_) {
    Kill();
    throw plugin::Error(CF_E_CANCELLED, "cancelled; its process did not stop and was killed");
  }
  if (is_cancelled_ || !watch || !watch()) return;
  is_cancelled_ = true;
  kill_at_ = Clock::now() + kGrace;
  ::kill(-pid_, SIGINT);
}

void ChildProcess::ReadText() {
  constexpr std::size_t kAtOnce = std::size_t{1} << 20;
  const bool is_open = ReadAvailable(text_, written_, written_.size() + kAtOnce);
  if (written_.size() > kMaxText) written_.erase(0, written_.size() - kMaxText);
  if (!is_open) text_.Close();  // poll() ignores it from now on
}

std::string ChildProcess::Kill() {
  if (pid_ <= 0) return "before";
  int status = 0;
  pid_t ended = 0;
  // A process that closed its end of the channel is about to end by itself, and that says why.
  for (int i = 0; has_ended_ && ended == 0 && i < 20; ++i) {
    ended = ::waitpid(pid_, &status, WNOHANG);
    if (ended == 0) ::usleep(10'000);
  }
  const bool has_ended_itself = ended > 0;
  ::kill(-pid_, SIGKILL);
  while (ended == 0 || (ended < 0 && errno == EINTR)) ended = ::waitpid(pid_, &status, 0);
  pid_ = -1;
  if (text_.is_open()) ReadText();
  was_ended_from_outside_ = has_ended_itself && WasEndedFromOutside(status);
  return ended > 0 ? DescribeEnd(status) : "in an unknown way";
}

void ChildProcess::ThrowEnded() {
  has_ended_ = true;
  const std::string how = Kill();  // reads the end of what it wrote
  if (is_cancelled_) throw plugin::Error(CF_E_CANCELLED, "cancelled; its process ended " + how);
  if (was_ended_from_outside_) {
    throw plugin::Error(CF_E_IO, WithText("its process was ended from outside " + how));
  }
  throw plugin::Error(CF_E_INTERNAL, WithText("its process ended " + how));
}

void ChildProcess::Reject(const std::string& what) {
  Kill();
  throw plugin::Error(CF_E_INTERNAL, WithText("its process " + what + " and was killed"));
}

std::string ChildProcess::WithText(std::string what) const {
  const std::string text = OneLine(written_);
  return text.empty() ? what : what + "; it wrote: " + text;
}

}  // namespace crossfold::exec
