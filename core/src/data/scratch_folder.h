// A hidden folder for files that are not finished, beside where they will be or in the temporary
// folder. It goes away with its object; what a killed process left is removed by the next one.
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
  // Removes those of dead processes whose names begin so, and makes one. Throws std::system_error.
  ScratchFolder(const std::filesystem::path& parent, const std::string& start);
  bool Lock();

  std::filesystem::path path_;
  int descriptor_ = -1;  // locked (flock) while the object lives
};

}  // namespace crossfold
