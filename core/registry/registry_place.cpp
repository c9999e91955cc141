#include "registry/registry_place.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "files/file_bytes.h"
#include "files/file_descriptor.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;

// How curl ended.
struct CurlEnd {
  int code = -1;  // -1 = a signal
  bool is_too_long = false;
  std::string body;    // what it wrote to its standard output
  std::string errors;  // and to standard error, with the status of HTTP at the end
};

// Reads to the end, or until there is more than `maximum`.
std::string ReadUpTo(int descriptor, std::uint64_t maximum) {
  std::string text;
  std::array<char, 1 << 16> block;
  while (text.size() <= maximum) {
    const ssize_t n = ::read(descriptor, block.data(), block.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    text.append(block.data(), static_cast<std::size_t>(n));
  }
  return text;
}

// The ends of a pipe: what we read, and what the other process writes.
struct Pipe {
  FileDescriptor ours, theirs;
};

Pipe MakePipe(const std::string& attempt) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error(ErrorKind::kIo, attempt + ": no pipe");
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

class SpawnActions {
 public:
  SpawnActions() { ::posix_spawn_file_actions_init(&actions_); }
  ~SpawnActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  posix_spawn_file_actions_t* get() { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

pid_t StartCurl(std::vector<std::string> arguments, const Pipe& body, const Pipe& errors,
                const std::string& attempt) {
  SpawnActions actions;
  ::posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(actions.get(), body.theirs.get(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(actions.get(), errors.theirs.get(), STDERR_FILENO);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_t pid = 0;
  const int failure =
      ::posix_spawnp(&pid, pointers.front(), actions.get(), nullptr, pointers.data(), ::environ);
  if (failure == 0) return pid;
  throw Error(ErrorKind::kIo, attempt + ": the program curl cannot be started (" +
                                  std::generic_category().message(failure) +
                                  "); install it, or copy the registry's folder");
}

CurlEnd RunCurl(std::vector<std::string> arguments, std::uint64_t maximum,
                const std::string& attempt) {
  Pipe body = MakePipe(attempt), errors = MakePipe(attempt);
  const pid_t pid = StartCurl(std::move(arguments), body, errors, attempt);
  body.theirs.Close();
  errors.theirs.Close();
  CurlEnd end;
  end.body = ReadUpTo(body.ours.get(), maximum);
  end.is_too_long = end.body.size() > maximum;
  if (end.is_too_long) ::kill(pid, SIGKILL);
  constexpr std::uint64_t kMaxErrors = 1 << 16;  // what a pipe holds: curl does not wait for us
  end.errors = ReadUpTo(errors.ours.get(), kMaxErrors);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) end.code = WEXITSTATUS(status);
  return end;
}

// The first line of what curl wrote, without the status of HTTP at its end.
std::string FirstLine(const std::string& output) {
  const std::string line = output.substr(0, output.find('\n'));
  return line.empty() ? "curl failed" : line;
}

[[noreturn]] void RefuseSize(const std::string& attempt, std::uint64_t maximum) {
  throw Error(ErrorKind::kIo, attempt + ": it has more than " + std::to_string(maximum) +
                                  " bytes, so it is not what belongs there; ask the registry's "
                                  "owner");
}

// A server that sends nothing for 30 s is given up. The user's .curlrc does not count.
std::optional<std::string> Fetch(const std::string& url, std::uint64_t maximum,
                                 const std::string& attempt) {
  CurlEnd end = RunCurl({"curl",
                         "-q",
                         "--silent",
                         "--show-error",
                         "--fail",
                         "--globoff",
                         "--location",
                         "--max-redirs",
                         "5",
                         "--proto",
                         "=http,https",
                         "--proto-redir",
                         "=http,https",
                         "--connect-timeout",
                         "20",
                         "--speed-limit",
                         "1",
                         "--speed-time",
                         "30",
                         "--write-out",
                         "%{stderr}\n%{http_code}",
                         "--",
                         url},
                        maximum, attempt);
  if (end.is_too_long) RefuseSize(attempt, maximum);
  if (end.errors.ends_with("\n404") || end.errors.ends_with("\n410")) return std::nullopt;
  if (end.code != 0) {
    throw Error(ErrorKind::kIo,
                attempt + ": " + FirstLine(end.errors) + "; check the URL and the network");
  }
  return std::move(end.body);
}

}  // namespace

RegistryPlace::RegistryPlace(const std::string& location)
    : location_(location),
      is_url_(location.starts_with("http://") || location.starts_with("https://")) {
  if (!is_url_) location_ = fs::absolute(location).lexically_normal().string();
  while (location_.size() > 1 && location_.ends_with('/')) location_.pop_back();
}

std::optional<std::string> RegistryPlace::Read(const std::string& path,
                                               std::uint64_t maximum) const {
  const std::string name = location_ + "/" + path;
  const std::string attempt = "cannot read '" + name + "'";
  std::error_code failure;
  if (!is_url_ && !fs::exists(name, failure)) return std::nullopt;
  if (is_url_) return Fetch(name, maximum, attempt);
  if (fs::file_size(name, failure) > maximum) RefuseSize(attempt, maximum);
  return ReadFileBytes(name, attempt);
}

}  // namespace crossfold
