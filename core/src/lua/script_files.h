// Which files the scripts of one state may open. Every binding that opens a file by a path from a
// script asks here first.
#pragma once

#include <filesystem>
#include <string>

namespace crossfold::lua {

class ScriptFiles {
 public:
  // From here on only regular files below `root`, however a path leads there; an empty `root`
  // allows none. Throws Error(kInvalidArgument) if it is no folder.
  void Restrict(const std::filesystem::path& root);

  // Throw Error(kInvalidArgument) if the file at `path` is out of bounds.
  void CheckRead(const std::string& path) const { Check(path, "read"); }
  void CheckWrite(const std::string& path) const { Check(path, "write"); }

 private:
  void Check(const std::string& path, const char* verb) const;

  bool restricted_ = false;
  std::filesystem::path root_;  // without symbolic links
};

}  // namespace crossfold::lua
