#include "programs/cli/user_file.h"

#include <cstdlib>

namespace crossfold::cli {
namespace {

// "" if it is not set, or if the process has more rights than its user.
std::filesystem::path Folder(const char* variable) {
  const char* value = ::secure_getenv(variable);
  const std::filesystem::path folder = value == nullptr ? "" : value;
  return folder.is_absolute() ? folder : std::filesystem::path();
}

}  // namespace

std::filesystem::path UserFile(const char* variable, const char* below_home, const char* name) {
  std::filesystem::path folder = Folder(variable);
  if (folder.empty()) {
    const std::filesystem::path home = Folder("HOME");
    if (home.empty()) return {};
    folder = home / below_home;
  }
  return folder / "crossfold" / name;
}

}  // namespace crossfold::cli
