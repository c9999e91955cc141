// Finds who else can change a file: its owner, a group or everyone, by the permissions of the file
// itself, of the folders above it and of links on the way. Their code would run as the user of this
// process.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace crossfold {

// Users whom this process trusts anyway.
struct TrustedWriters {
  std::vector<uid_t> users;
  std::function<bool(gid_t)> has_group;  // whether all of its members are such users
};

enum class OtherWriter { kNone, kOwner, kGroup, kEveryone };

// Returns who else can change the file, folder or (lstat) link of `status`. In a folder with the
// sticky bit others can only add files.
OtherWriter FindOtherWriter(const struct stat& status, const TrustedWriters& trusted);

// Returns root, the user of this process and the owner of the folder of this program, with their
// private groups.
TrustedWriters WritersOfThisProcess();

// Checks each file and folder once. Not thread-safe.
class PathWriters {
 public:
  // Does not check the folders above the program, because anyone who can change these can replace
  // the program.
  explicit PathWriters(TrustedWriters trusted = WritersOfThisProcess());

  // Returns "everyone may write to '/p/x' (mode 0666); if this is not intended: chmod go-w '/p/x',
  // ..."; empty = nobody else can change the file, or it does not exist.
  std::string Problem(const std::filesystem::path& path);

 private:
  std::string Look(const std::filesystem::path& path);
  std::string OwnProblem(const std::filesystem::path& path, const struct stat& status) const;

  TrustedWriters trusted_;
  std::filesystem::path program_;  // its folder; may be empty
  std::map<std::filesystem::path, std::string> known_;
};

}  // namespace crossfold
