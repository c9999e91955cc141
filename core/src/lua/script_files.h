// Which files the scripts of one state may open and make. Every binding that opens a file by a path
// from a script asks here first; in a sandbox, every file that it writes is made here.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace crossfold::lua {

class ScriptFiles {
 public:
  // From here on only regular files below `root` and `output` are read, and only new ones below
  // `output` are made, however a path leads there; an empty folder allows none. `output` itself is
  // made with its first file. Throws Error(kInvalidArgument) if `root` is no folder, or `output`
  // can be none.
  void Restrict(const std::filesystem::path& root, const std::filesystem::path& output);
  bool restricted() const { return restricted_; }

  // Throws Error(kInvalidArgument) if the file at `path` is out of bounds.
  void CheckRead(const std::string& path) const;
  // The same for a store to write to: one of the output folder, which may be there.
  void CheckStore(const std::string& path) const;
  // The same for a file that is written where there is no sandbox.
  void CheckWrite(const std::string& path) const;
  // A new file of these bytes, which nobody can execute. Throws Error(kInvalidArgument) if it is
  // out of bounds or there is something already, Error(kIo) if it cannot be written.
  // REQUIRES: restricted().
  void Make(const std::string& path, std::string_view bytes) const;

 private:
  // The path from the output folder to a file that a script may make.
  std::filesystem::path PlaceInOutput(const std::string& path) const;

  bool restricted_ = false;
  std::filesystem::path root_, output_;  // without symbolic links
};

}  // namespace crossfold::lua
