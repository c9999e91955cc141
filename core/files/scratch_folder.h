// A hidden folder for unfinished files, next to their target or in the temporary folder. It is
// removed with its object; the next process removes the folder of a process that was killed.
#pragma once

#include <filesystem>
#include <string>

#include "files/file_descriptor.h"

namespace crossfold {

class ScratchFolder {
 public:
  // Makes the folder ".NAME.crossfold-XXXXXX" next to `path`. Throws std::system_error.
  static ScratchFolder NextTo(const std::filesystem::path& path);
  // Makes a folder in the temporary folder. Throws Error(kIo).
  static ScratchFolder Temporary();
  // Whether the folder is one of Temporary() of any process of this user, and nobody else can read
  // it.
  static bool IsOfThisUser(const std::filesystem::path& folder);
  ~ScratchFolder();
  ScratchFolder(ScratchFolder&& other) noexcept = default;
  ScratchFolder& operator=(ScratchFolder&& other) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path File(const char* name) const { return path_ / name; }

 private:
  // Makes a folder whose name begins with `start`, after it has removed those of dead processes.
  // Throws std::system_error.
  ScratchFolder(const std::filesystem::path& parent, const std::string& start);
  bool Lock();

  std::filesystem::path path_;
  FileDescriptor folder_;  // locked (flock) while the object lives
};

}  // namespace crossfold
