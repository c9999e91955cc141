#include "registry/registry_place.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <vector>

#include "crossfold/error.h"
#include "files/file_bytes.h"
#include "files/file_descriptor.h"
#include "files/scratch_folder.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;

// What curl wrote to its standard output and error, and how it ended.
struct CurlEnd {
  int code = -1;  // -1 = a signal
  std::string output;
};

std::string ReadAll(int descriptor) {
  std::string text;
  std::array<char, 4096> block;
  for (;;) {
    const ssize_t n = ::read(descriptor, block.data(), block.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(block.data(), static_cast<std::size_t>(n));
  }
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

CurlEnd RunCurl(std::vector<std::string> arguments, const std::string& attempt) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error(ErrorKind::kIo, attempt + ": no pipe");
  const FileDescriptor ours(ends[0]);
  FileDescriptor theirs(ends[1]);
  SpawnActions actions;
  ::posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(actions.get(), theirs.get(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(actions.get(), theirs.get(), STDERR_FILENO);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_t pid = 0;
  const int failure =
      ::posix_spawnp(&pid, pointers.front(), actions.get(), nullptr, pointers.data(), ::environ);
  if (failure != 0) {
    throw Error(ErrorKind::kIo, attempt + ": the program curl cannot be started (" +
                                    std::generic_category().message(failure) +
                                    "); install it, or copy the registry's folder");
  }
  theirs.Close();
  CurlEnd end;
  end.output = ReadAll(ours.get());
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

std::optional<std::string> Fetch(const std::string& url, std::uint64_t maximum,
                                 const std::string& attempt) {
  const ScratchFolder scratch = ScratchFolder::Temporary();
  const fs::path file = scratch.File("fetched");
  const CurlEnd end = RunCurl({"curl",
                               "--silent",
                               "--show-error",
                               "--fail",
                               "--location",
                               "--max-redirs",
                               "5",
                               "--proto",
                               "=http,https",
                               "--proto-redir",
                               "=http,https",
                               "--connect-timeout",
                               "20",
                               "--max-filesize",
                               std::to_string(maximum),
                               "--write-out",
                               "\n%{http_code}",
                               "--output",
                               file.string(),
                               "--",
                               url},
                              attempt);
  if (end.output.ends_with("\n404") || end.output.ends_with("\n410")) return std::nullopt;
  if (end.code != 0) throw Error(ErrorKind::kIo, attempt + ": " + FirstLine(end.output));
  std::error_code none;
  return fs::exists(file, none) ? ReadFileBytes(file, attempt) : "";  // no file: it is empty
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
  if (!is_url_ && fs::file_size(name, failure) > maximum) {
    throw Error(ErrorKind::kIo,
                attempt + ": it has more than " + std::to_string(maximum) + " bytes");
  }
  std::optional<std::string> bytes =
      is_url_ ? Fetch(name, maximum, attempt) : ReadFileBytes(name, attempt);
  if (bytes && bytes->size() > maximum) {
    throw Error(ErrorKind::kIo,
                attempt + ": it has more than " + std::to_string(maximum) + " bytes");
  }
  return bytes;
}

}  // namespace crossfold
