#include "discovery/child_program.h"

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
#include <string_view>
#include <system_error>
#include <utility>

#include "crossfold/error.h"

namespace crossfold {
namespace {

[[noreturn]] void Refuse(const std::filesystem::path& program, int error) {
  const char* way_out = error == EMFILE ? "; raise the limit (ulimit -n)" : "";
  throw Error(ErrorKind::kIo, "cannot start worker process '" + program.string() +
                                  "': " + std::generic_category().message(error) + way_out);
}

// Moves the descriptor above the numbers that the child will have, so that none of them is
// overwritten.
FileDescriptor Raised(FileDescriptor fd, const std::filesystem::path& program) {
  constexpr int kLowest = 16;
  FileDescriptor raised(::fcntl(fd.get(), F_DUPFD_CLOEXEC, kLowest));
  if (!raised.is_open()) Refuse(program, errno == EINVAL ? EMFILE : errno);  // the limit is too low
  return raised;
}

std::string_view VariableName(std::string_view variable) {
  return variable.substr(0, variable.find('='));
}

std::vector<std::string> EnvironmentWith(const std::vector<std::string>& variables) {
  std::vector<std::string> all = variables;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const bool is_replaced = std::any_of(
        variables.begin(), variables.end(),
        [&](const std::string& other) { return VariableName(other) == VariableName(*variable); });
    if (!is_replaced) all.emplace_back(*variable);
  }
  return all;
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

struct FileActions {
  posix_spawn_file_actions_t actions;
  FileActions(int channel, int output) {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, output, 1);
    ::posix_spawn_file_actions_adddup2(&actions, output, 2);
    ::posix_spawn_file_actions_adddup2(&actions, channel, kChildChannel);
    ::posix_spawn_file_actions_addclosefrom_np(&actions, kChildChannel + 1);
  }
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions); }
};

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

constexpr std::size_t kMaxOutput = std::size_t{1} << 26;  // bytes
constexpr int kPatience = 50;                             // ms between looks at the token
constexpr int kLastLooks = 20;                            // after a cancellation

// Ends its process, if that has not ended, when it goes away.
class PrintingProcess {
 public:
  explicit PrintingProcess(pid_t pid) : pid_(pid) {}
  ~PrintingProcess() {
    if (pid_ >= 0) KillChild(pid_);
  }
  PrintingProcess(const PrintingProcess&) = delete;
  PrintingProcess& operator=(const PrintingProcess&) = delete;

  void Ask() const { ::kill(pid_, SIGTERM); }
  // REQUIRES: called once.
  Ending End() { return KillChild(std::exchange(pid_, -1)); }

 private:
  pid_t pid_;
};

}  // namespace

ChannelEnds MakeChildSocket(const std::filesystem::path& program) {
  int fds[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) Refuse(program, errno);
  ChannelEnds ends{FileDescriptor(fds[0]), FileDescriptor(fds[1])};
  ends.theirs = Raised(std::move(ends.theirs), program);
  return ends;
}

ChannelEnds MakeChildPipe(const std::filesystem::path& program) {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) Refuse(program, errno);
  ChannelEnds ends{FileDescriptor(fds[0]), FileDescriptor(fds[1])};
  ::fcntl(ends.ours.get(), F_SETFL, O_NONBLOCK);
  ends.theirs = Raised(std::move(ends.theirs), program);
  return ends;
}

pid_t SpawnChild(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                 const std::vector<std::string>& variables, int channel, int output) {
  const FileActions files(channel, output);
  const Attributes attributes;
  std::vector<std::string> line = {program.filename().string()};
  line.insert(line.end(), arguments.begin(), arguments.end());
  std::vector<std::string> environment = EnvironmentWith(variables);
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, program.c_str(), &files.actions, &attributes.attributes,
                                  Pointers(line).data(), Pointers(environment).data());
  if (error != 0) Refuse(program, error);
  return pid;
}

Ending KillChild(pid_t pid) {
  // The group comes first: its number cannot be reused before its leader was waited for.
  ::kill(-pid, SIGKILL);
  ::kill(pid, SIGKILL);  // in case it is not in its own group yet, or in another one
  int status = 0;
  pid_t waited = 0;
  do {
    waited = ::waitpid(pid, &status, 0);
  } while (waited < 0 && errno == EINTR);
  Ending ending;
  if (waited == pid && WIFEXITED(status)) ending.code = WEXITSTATUS(status);
  if (waited == pid && WIFSIGNALED(status)) ending.signal = WTERMSIG(status);
  return ending;
}

void ReadWritten(FileDescriptor& from, std::string& written, std::size_t maximum) {
  if (!from.is_open()) return;
  std::array<char, 4096> bytes;
  // The loop is bounded, because a process may write without end.
  for (int i = 0; i < 64; ++i) {
    const ssize_t n = ::read(from.get(), bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) from.Close();  // closed on the other side: nothing to poll for
    if (n <= 0) return;
    written.append(bytes.data(), static_cast<std::size_t>(n));
    if (written.size() > maximum) written.erase(0, written.size() - maximum);
  }
}

// The function of glibc 2.36 is declared for C only.
int OpenProcess(pid_t pid) { return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)); }

std::string OutputOf(const std::filesystem::path& program,
                     const std::vector<std::string>& arguments, const CancelToken* cancel) {
  ChannelEnds output = MakeChildPipe(program), channel = MakeChildPipe(program);
  PrintingProcess child(
      SpawnChild(program, arguments, {}, channel.theirs.get(), output.theirs.get()));
  output.theirs.Close();
  channel.theirs.Close();
  std::string written;
  int looks = -1;  // that are left; -1 = it was not asked to end
  while (output.ours.is_open() && looks != 0) {
    pollfd watched{output.ours.get(), POLLIN, 0};
    ::poll(&watched, 1, kPatience);
    ReadWritten(output.ours, written, kMaxOutput);
    if (looks > 0) --looks;
    if (looks >= 0 || cancel == nullptr || !cancel->cancelled()) continue;
    child.Ask();
    looks = kLastLooks;
  }
  const Ending ending = child.End();
  if (ending.signal == 0 || looks >= 0) return written;
  throw Error(ErrorKind::kIo, "cannot use what '" + program.string() + "' printed: signal " +
                                  std::to_string(ending.signal) + " ended it");
}

}  // namespace crossfold
