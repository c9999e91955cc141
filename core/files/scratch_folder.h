// A hidden folder for unfinished files, beside their target or in the temporary folder. It is
// removed with its object; the folder of a killed process is removed by the next one.
#pragma once

#include <filesystem>
#include <string>

namespace crossfold {

class ScratchFolder {
 public:
  // ".NAME.crossfold-XXXXXX" beside `path`. Throws std::system_error.
  static ScratchFolder Beside(const std::filesystem::path& path);
  // In the temporary folder. Throws Error(kIo).
  static ScratchFolder Temporary();
  ~ScratchFolder();
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&& other) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path File(const char* name) const { return path_ / name; }

 private:
  // Makes one whose name begins so, after it has removed those of dead processes. Throws
  // std::system_error.
  ScratchFolder(const std::filesystem::path& parent, const std::string& start);
  bool Lock();

  std::filesystem::path path_;
  int descriptor_ = -1;  // locked (flock) while the object lives
};

}  // namespace crossfold
