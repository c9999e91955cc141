#include "discovery/path_writers.h"

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <system_error>
#include <utility>

#include "discovery/program_search.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;

// Whether the group is private to the user, as on systems where each user has a group of the same
// name and makes files with umask 002. Ids without names are compared as numbers.
bool IsPrivateGroup(gid_t group, uid_t user) {
  std::array<char, 16384> bytes{};
  struct group found {};
  struct group* entry = nullptr;
  if (::getgrgid_r(group, &found, bytes.data(), bytes.size(), &entry) != 0) return false;
  if (entry == nullptr) return group == user;
  std::array<char, 16384> user_bytes{};
  passwd user_found{};
  passwd* owner = nullptr;
  if (::getpwuid_r(user, &user_found, user_bytes.data(), user_bytes.size(), &owner) != 0 ||
      owner == nullptr || owner->pw_gid != group ||
      std::string_view(owner->pw_name) != entry->gr_name) {
    return false;
  }
  for (char** member = entry->gr_mem; *member != nullptr; ++member) {
    if (std::string_view(*member) != owner->pw_name) return false;
  }
  return true;
}

// Returns "everyone may write to '/p' (mode 0777); ...".
std::string WritesText(const std::string& who, const std::string& quoted, mode_t mode) {
  std::array<char, 8> digits{};
  std::snprintf(digits.data(), digits.size(), "%04o", static_cast<unsigned>(mode & 07777));
  return who + " may write to " + quoted + " (mode " + digits.data() +
         "); if this is not intended: chmod go-w " + quoted +
         ", or copy the file to a folder of your own";
}

bool IsAbove(const fs::path& folder, const fs::path& path) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

}  // namespace

OtherWriter FindOtherWriter(const struct stat& status, const TrustedWriters& trusted) {
  const auto& users = trusted.users;
  if (std::find(users.begin(), users.end(), status.st_uid) == users.end()) {
    return OtherWriter::kOwner;
  }
  const bool only_adds = S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0;
  if (S_ISLNK(status.st_mode) || only_adds) return OtherWriter::kNone;
  if ((status.st_mode & S_IWOTH) != 0) return OtherWriter::kEveryone;
  if ((status.st_mode & S_IWGRP) != 0 && !trusted.has_group(status.st_gid)) {
    return OtherWriter::kGroup;
  }
  return OtherWriter::kNone;
}

TrustedWriters WritersOfThisProcess() {
  TrustedWriters trusted{{0, ::geteuid()}, {}};
  struct stat status {};
  const fs::path program = OwnFolder();
  if (!program.empty() && ::stat(program.c_str(), &status) == 0) {
    trusted.users.push_back(status.st_uid);
  }
  trusted.has_group = [users = trusted.users](gid_t group) {
    return std::any_of(users.begin(), users.end(),
                       [group](uid_t user) { return IsPrivateGroup(group, user); });
  };
  return trusted;
}

PathWriters::PathWriters(TrustedWriters trusted)
    : trusted_(std::move(trusted)), program_(OwnFolder()) {}

std::string PathWriters::Problem(const fs::path& path) {
  return Look(fs::absolute(path).lexically_normal());
}

std::string PathWriters::Look(const fs::path& path) {
  if (IsAbove(path, program_)) return "";
  const auto [known, is_new] = known_.emplace(path, "");  // circular links find it again
  if (!is_new) return known->second;
  struct stat status {};
  const bool exists = ::lstat(path.c_str(), &status) == 0;
  if (exists) known->second = OwnProblem(path, status);
  if (known->second.empty() && path.has_relative_path()) known->second = Look(path.parent_path());
  if (known->second.empty() && exists && S_ISLNK(status.st_mode)) {
    std::error_code failure;
    const fs::path folder = fs::canonical(path.parent_path(), failure);
    known->second = Look((folder / fs::read_symlink(path, failure)).lexically_normal());
  }
  return known->second;
}

std::string PathWriters::OwnProblem(const fs::path& path, const struct stat& status) const {
  const OtherWriter writer = FindOtherWriter(status, trusted_);
  if (writer == OtherWriter::kNone) return "";
  const std::string quoted = "'" + path.string() + "'";
  switch (writer) {
    case OtherWriter::kOwner:
      return quoted + " belongs to user " + std::to_string(status.st_uid) +
             ", who is neither you nor root; if you trust it, copy the file to a folder of your "
             "own";
    case OtherWriter::kGroup:
      return WritesText("group " + std::to_string(status.st_gid), quoted, status.st_mode);
    default:
      return WritesText("everyone", quoted, status.st_mode);
  }
}

}  // namespace crossfold
