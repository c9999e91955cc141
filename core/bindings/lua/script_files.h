// Which files the scripts of one state may open and make. Every binding that opens a file by a path
// from a script asks here first; in a sandbox, every file that it writes is made here.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace crossfold::lua {

class ScriptFiles {
 public:
  // From now on only regular files below `root` and `output` are read, and only new ones below
  // `output` are made, with all links resolved; an empty folder allows none. `output` itself is
  // made with its first file. Throws Error(kInvalidArgument) if `root` is not a folder, or `output`
  // cannot be one.
  void Restrict(const std::filesystem::path& root, const std::filesystem::path& output);
  bool restricted() const { return restricted_; }

  // Throws Error(kInvalidArgument) if the file at `path` is out of bounds.
  void CheckRead(const std::string& path) const;
  // The same for a store to write to, which must be in the output folder and may exist.
  void CheckStore(const std::string& path) const;
  // The same for a file to write, for bindings that write it themselves without a sandbox.
  void CheckWrite(const std::string& path) const;
  // Makes a new file of these bytes, not executable. Throws Error(kInvalidArgument) if it is out of
  // bounds or exists, Error(kIo) if it cannot be written.
  // REQUIRES: restricted().
  void Make(const std::string& path, std::string_view bytes) const;

 private:
  // The path of a file that a script may make, relative to the output folder.
  std::filesystem::path PlaceInOutput(const std::string& path) const;

  bool restricted_ = false;
  std::filesystem::path root_, output_;  // without symbolic links
};

}  // namespace crossfold::lua
