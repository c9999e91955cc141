#include "bindings/lua/script_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "crossfold/error.h"
#include "files/file_descriptor.h"
#include "store/cells/sqlite.h"

namespace crossfold::lua {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void Refuse(const std::string& path, const char* verb, const std::string& finding,
                         ErrorKind kind = ErrorKind::kInvalidArgument) {
  throw Error(kind, "cannot " + std::string(verb) + " '" + path + "': " + finding);
}

bool IsBelow(const fs::path& path, const fs::path& root) {
  const auto [in_root, in_path] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return !root.empty() && in_root == root.end() && in_path != path.end();
}

void RequireNoZero(const std::string& path, const char* verb) {
  if (path.find('\0') == std::string::npos) return;
  Refuse(path.c_str(), verb, "the path has a zero byte; leave it out");
}

// Without symbolic links and "..", for the part of the path that exists.
fs::path Resolve(const std::string& path, const char* verb) {
  RequireNoZero(path, verb);
  std::error_code error;
  // weakly_canonical alone does not make a relative path absolute if nothing of it exists.
  fs::path resolved = fs::weakly_canonical(fs::absolute(path, error), error);
  if (error) Refuse(path, verb, error.message());
  return resolved;
}

fs::path ResolveRoot(const fs::path& root) {
  std::error_code error;
  fs::path resolved = fs::canonical(root, error);
  if (!error && fs::is_directory(resolved, error)) return resolved;
  throw Error(ErrorKind::kInvalidArgument, "cannot make a sandbox with root '" + root.string() +
                                               "': it is not a folder; name one that exists");
}

// A link there may have come with the script and lead anywhere.
fs::path ResolveOutput(const fs::path& output) {
  const auto refuse = [&](const std::string& finding) {
    throw Error(ErrorKind::kInvalidArgument, "cannot make a sandbox with output folder '" +
                                                 output.string() + "': " + finding +
                                                 " (--sandbox-output, SandboxLimits.output)");
  };
  std::error_code error;
  const fs::path named = fs::absolute(output, error).lexically_normal();
  const fs::path whole = named.has_filename() ? named : named.parent_path();
  const fs::file_status status = fs::symlink_status(whole, error);
  if (fs::is_symlink(status)) refuse("it is a symbolic link; remove it, or name another folder");
  if (fs::exists(status) && !fs::is_directory(status)) {
    refuse("it is not a folder; name another");
  }
  const fs::path parent = fs::canonical(whole.parent_path(), error);
  if (error) refuse("the folder above it does not exist; make that first");
  return parent / whole.filename();
}

// Hidden files and names like options have a meaning for other programs.
bool IsPlainName(const std::string& name) {
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  return !name.starts_with('.') && !name.starts_with('-') && std::ranges::none_of(name, is_control);
}

// Opens the folder of the file, following no links on the way.
FileDescriptor OpenFolder(const fs::path& output, const fs::path& below) {
  constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  ::mkdir(output.c_str(), 0777);  // whether it worked shows below
  FileDescriptor folder(::open(output.c_str(), kFolder));
  for (const fs::path& name : below) {
    if (!folder.is_open()) break;
    folder = FileDescriptor(::openat(folder.get(), name.c_str(), kFolder));
  }
  return folder;
}

[[noreturn]] void RefuseForErrno(const std::string& path) {
  Refuse(
      path, "write",
      "it cannot be written (" + std::generic_category().message(errno) + "); choose another place",
      ErrorKind::kIo);
}

}  // namespace

void ScriptFiles::Restrict(const fs::path& root, const fs::path& output) {
  if (!root.empty()) root_ = ResolveRoot(root);
  if (!output.empty()) output_ = ResolveOutput(output);
  restricted_ = true;
}

void ScriptFiles::CheckRead(const std::string& path) const {
  RequireNoZero(path, "read");
  if (!restricted_) return;
  if (root_.empty() && output_.empty()) {
    Refuse(path, "read",
           "the sandbox gives this script no files; start it with a root folder (--sandbox-root, "
           "SandboxLimits.root)");
  }
  const fs::path resolved = Resolve(path, "read");
  if (!IsBelow(resolved, root_) && !IsBelow(resolved, output_)) {
    Refuse(path, "read",
           "it is outside the sandbox's root folder '" + root_.string() +
               "'; move it there, or choose another root (--sandbox-root, SandboxLimits.root)");
  }
  std::error_code error;
  const fs::file_status status = fs::symlink_status(resolved, error);
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status)) {
    Refuse(path, "read", "a sandbox opens regular files only; name one");
  }
}

void ScriptFiles::CheckWrite(const std::string& path) const { RequireNoZero(path, "write"); }

fs::path ScriptFiles::PlaceInOutput(const std::string& path) const {
  if (output_.empty()) {
    Refuse(path, "write",
           "this sandbox has no output folder; start it with one (--sandbox-output, "
           "SandboxLimits.output)");
  }
  const fs::path resolved = Resolve(path, "write");
  if (!IsBelow(resolved, output_)) {
    Refuse(path, "write",
           "it is outside the sandbox's output folder '" + output_.string() +
               "'; write it there, or choose another folder (--sandbox-output, "
               "SandboxLimits.output)");
  }
  fs::path place = resolved.lexically_relative(output_);
  for (const fs::path& name : place) {
    if (IsPlainName(name.string())) continue;
    Refuse(path, "write",
           "a sandbox makes no file or folder whose name begins with '.' or '-' or has control "
           "characters; choose another name");
  }
  return place;
}

void ScriptFiles::CheckStore(const std::string& path) const {
  RequireNoZero(path, "write");
  if (!restricted_) return;
  const fs::path place = PlaceInOutput(path);
  if (!OpenFolder(output_, place.parent_path()).is_open()) RefuseForErrno(path);
  struct stat found;
  if (::lstat((output_ / place).c_str(), &found) != 0) return;
  // A hard link or an executable file may have come with the script.
  const bool is_plain =
      S_ISREG(found.st_mode) && found.st_nlink == 1 && (found.st_mode & 0111) == 0;
  if (is_plain && IsDatabaseFile(output_ / place)) return;
  Refuse(path, "write",
         "it exists and is not a store, and a sandbox replaces nothing; choose another "
         "name");
}

void ScriptFiles::Make(const std::string& path, std::string_view bytes) const {
  const fs::path place = PlaceInOutput(path);
  const FileDescriptor folder = OpenFolder(output_, place.parent_path());
  if (!folder.is_open()) RefuseForErrno(path);
  constexpr int kNew = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  const std::string name = place.filename().string();
  const FileDescriptor file(::openat(folder.get(), name.c_str(), kNew, 0666));
  if (!file.is_open() && errno == EEXIST) {
    Refuse(path, "write", "it exists already, and a sandbox replaces nothing; choose another name");
  }
  if (!file.is_open()) RefuseForErrno(path);
  if (WriteAll(file.get(), bytes) && ::fsync(file.get()) == 0) return;
  const int problem = errno;
  ::unlinkat(folder.get(), name.c_str(), 0);
  errno = problem;
  RefuseForErrno(path);
}

}  // namespace crossfold::lua
