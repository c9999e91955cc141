#include "lua/script_files.h"

#include <algorithm>
#include <system_error>

#include "crossfold/error.h"

namespace crossfold::lua {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void Refuse(const std::string& path, const char* verb, const std::string& finding) {
  throw Error(ErrorKind::kInvalidArgument,
              "cannot " + std::string(verb) + " '" + path + "': " + finding);
}

bool IsBelow(const fs::path& path, const fs::path& root) {
  const auto [in_root, in_path] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return in_root == root.end() && in_path != path.end();
}

}  // namespace

void ScriptFiles::Restrict(const fs::path& root) {
  if (!root.empty()) {
    std::error_code error;
    fs::path resolved = fs::canonical(root, error);
    if (error || !fs::is_directory(resolved, error)) {
      throw Error(ErrorKind::kInvalidArgument, "cannot make a sandbox with root '" + root.string() +
                                                   "': it is no folder; name one that exists");
    }
    root_ = std::move(resolved);
  }
  restricted_ = true;
}

void ScriptFiles::Check(const std::string& path, const char* verb) const {
  if (!restricted_) return;
  if (root_.empty()) {
    Refuse(path, verb,
           "the sandbox gives this script no files; start it with a root folder (--sandbox-root, "
           "SandboxLimits.root)");
  }
  if (path.find('\0') != std::string::npos) Refuse(path.c_str(), verb, "the path has a zero byte");
  std::error_code error;
  // Of a relative path to what does not exist, weakly_canonical alone leaves the beginning out.
  const fs::path resolved = fs::weakly_canonical(fs::absolute(path, error), error);
  if (error || !IsBelow(resolved, root_)) {
    Refuse(path, verb,
           "it lies outside the sandbox's root folder '" + root_.string() +
               "'; move it there, or choose another root (--sandbox-root, SandboxLimits.root)");
  }
  // What exists is resolved, so a link here leads to nothing yet: writing would make its target.
  const fs::file_status status = fs::symlink_status(resolved, error);
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status)) {
    Refuse(path, verb, "a sandbox opens regular files only; name one");
  }
}

}  // namespace crossfold::lua
