#include "plugin/plugin_scan.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include "crossfold/error.h"
#include "plugin/plugin_loader.h"
#include "plugin/scan_answer.h"

namespace crossfold {
namespace {

using Clock = std::chrono::steady_clock;
using End = ScanOutcome::End;

constexpr int kAnswer = 3;  // descriptor in the process
constexpr std::size_t kMostBytes = std::size_t{8} << 20;

[[noreturn]] void Refuse(const std::filesystem::path& program, int error) {
  throw Error(ErrorKind::kIo, "cannot start scanning process '" + program.string() +
                                  "': " + std::generic_category().message(error));
}

struct Pipe {
  int ours = -1, theirs = -1;
  explicit Pipe(const std::filesystem::path& program) {
    int fds[2];
    if (::pipe2(fds, O_CLOEXEC) != 0) Refuse(program, errno);
    ours = fds[0];
    theirs = fds[1];
  }
  ~Pipe() {
    ::close(ours);
    CloseTheirs();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void CloseTheirs() {
    if (theirs >= 0) ::close(theirs);
    theirs = -1;
  }
};

// Owns what posix_spawn wants: a group of its own, no signal blocked or ignored, nothing to read
// and nobody who reads what the plugin prints.
class SpawnSettings {
 public:
  explicit SpawnSettings(int answer) {
    ::posix_spawn_file_actions_init(&actions_);
    // First, for the number may be one of the others; a duplicate of itself loses close-on-exec.
    ::posix_spawn_file_actions_adddup2(&actions_, answer, kAnswer);
    for (const int fd : {0, 1, 2}) {
      ::posix_spawn_file_actions_addopen(&actions_, fd, "/dev/null", O_RDWR, 0);
    }
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, kAnswer + 1);
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
  }
  ~SpawnSettings() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  pid_t Spawn(const std::filesystem::path& program, std::array<std::string, 4>& arguments) {
    std::array<char*, 5> argv = {};
    std::transform(arguments.begin(), arguments.end(), argv.begin(),
                   [](std::string& argument) { return argument.data(); });
    pid_t pid = -1;
    const int error =
        ::posix_spawn(&pid, program.c_str(), &actions_, &attributes_, argv.data(), environ);
    if (error != 0) Refuse(program, error);
    return pid;
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

// Reads the answer until the process has ended; false if it does not in time. A process that closes
// its side, or one whose children keep it open, changes nothing.
bool ReadAnswer(int fd, int pidfd, Clock::time_point until, std::string& answer) {
  std::array<char, 4096> bytes;
  while (answer.size() < kMostBytes) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    std::array<pollfd, 2> watched = {pollfd{fd, POLLIN, 0}, pollfd{pidfd, POLLIN, 0}};
    const int n_ready = ::poll(watched.data(), watched.size(),
                               static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000)));
    if (n_ready == 0 && left.count() <= 0) return false;
    if (n_ready <= 0) continue;                // a signal, perhaps
    if (watched[0].revents == 0) return true;  // it has ended, and nothing is left to read
    const ssize_t n = ::read(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fd = -1;
    if (n > 0) answer.append(bytes.data(), static_cast<std::size_t>(n));
  }
  return true;
}

// Ends the process and all that it started in its group; how it ended: by itself, if it already
// has.
int Kill(pid_t pid) {
  ::kill(-pid, SIGKILL);  // not waited for yet, so the number belongs to nobody else
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::string DescribeEnd(int status) {
  if (!WIFSIGNALED(status)) return "exit code " + std::to_string(WEXITSTATUS(status));
  const char* name = ::sigdescr_np(WTERMSIG(status));
  return "signal " + std::to_string(WTERMSIG(status)) +
         (name == nullptr ? "" : " (" + std::string(name) + ")");
}

}  // namespace

ScanOutcome ScanInProcess(const std::filesystem::path& program, const std::filesystem::path& path,
                          const std::string& sha256, std::chrono::milliseconds most) {
  const auto until = Clock::now() + most;
  Pipe pipe(program);
  if (pipe.theirs <= kAnswer) {  // the numbers 0 to 3 are for the process
    const int raised = ::fcntl(pipe.theirs, F_DUPFD_CLOEXEC, kAnswer + 1);
    if (raised < 0) Refuse(program, errno);
    pipe.CloseTheirs();
    pipe.theirs = raised;
  }
  std::array<std::string, 4> arguments = {"crossfold-worker", "--scan", path.string(), sha256};
  const pid_t pid = SpawnSettings(pipe.theirs).Spawn(program, arguments);
  pipe.CloseTheirs();
  // glibc 2.36 declares its function for C only.
  const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  std::string answer;
  const bool in_time = pidfd >= 0 && ReadAnswer(pipe.ours, pidfd, until, answer);
  if (pidfd >= 0) ::close(pidfd);
  const int status = Kill(pid);
  if (!in_time) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(most).count();
    return {End::kHung, std::to_string(seconds) + " s", {}};
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    if (std::optional<ScanOutcome> outcome = ParseScanOutcome(answer)) return *std::move(outcome);
  }
  return {End::kCrashed, DescribeEnd(status), {}};
}

ScanOutcome ScanHere(const std::filesystem::path& path, const std::string& sha256) {
  LoadResult result = LoadUnlisted(path, sha256);
  if (!result.problem.empty()) return {End::kRefused, result.problem, {}};
  return {End::kWorks, "", std::move(result.manifest)};
}

}  // namespace crossfold
