// Who else may change a file: its owner, a group or everyone, by the rights of the file itself, of
// the folders above it and of links on the way. What they write would run as the user of this
// process.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace crossfold {

// Whom this process trusts anyway.
struct TrustedWriters {
  std::vector<uid_t> users;
  std::function<bool(gid_t)> has_group;  // whether only such users are in it
};

enum class OtherWriter { kNone, kOwner, kGroup, kEveryone };

// Who else may change what `status` is of: a file, a folder or (lstat) a link. In a folder with the
// sticky bit everyone may only add files.
OtherWriter FindOtherWriter(const struct stat& status, const TrustedWriters& trusted);

// Root, the user of this process and the owner of the folder of this program, with their private
// groups.
TrustedWriters WritersOfThisProcess();

// Not thread-safe; looks at each file and folder once.
class PathWriters {
 public:
  // Whoever may change a folder above the program may replace the program, so these are not looked
  // at.
  explicit PathWriters(TrustedWriters trusted = WritersOfThisProcess());

  // "everyone may write '/p/x' (mode 0666); if that is not meant: chmod go-w '/p/x', ..."; empty =
  // nobody else may change what is found at the path. What is not there is nobody's.
  std::string Problem(const std::filesystem::path& path);

 private:
  std::string Look(const std::filesystem::path& path);
  std::string OwnProblem(const std::filesystem::path& path, const struct stat& status) const;

  TrustedWriters trusted_;
  std::filesystem::path program_;  // its folder; may be empty
  std::map<std::filesystem::path, std::string> known_;
};

}  // namespace crossfold
