// A plugin that is a folder "NAME.crossfold" with a file crossfold.json and a program
// (crossfold_plugin/folder.h). Nothing of it runs here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/plugin/manifest.h"

namespace crossfold {

// Whether it is a folder with a name of that form, or a link to one.
bool IsPluginFolder(const std::filesystem::path& path);

struct FolderLimits {
  std::size_t entries = 10'000;  // files, folders and links
  std::uint64_t bytes = std::uint64_t{1} << 30;
};

// The files of such a folder, listed once. What is in folders of the names "__pycache__", into
// which Python writes while it runs, and ".git" is not part of it. A link to a file in the folder
// counts as a file with the same bytes.
class PluginFolder {
 public:
  struct File {
    std::string name;            // its path from the folder: "lib/trees.py"
    std::filesystem::path path;  // of the bytes, without links
  };

  // Refuses folders with other links, pipes, sockets or devices, and too large ones. If it fails,
  // problem() gives the reason, and nothing else may be called.
  explicit PluginFolder(const std::filesystem::path& path, const FolderLimits& limits = {});

  // "its link 'x' leads out of the folder"; empty = listed.
  const std::string& problem() const { return problem_; }
  const std::vector<File>& files() const { return files_; }  // sorted by the bytes of the names
  // Returns what nobody else must be able to change: the folder, all files, folders and links in
  // it, also those in "__pycache__".
  const std::vector<std::filesystem::path>& places() const { return places_; }

  // Returns the SHA-256 as 64 hexadecimal digits: of the text "crossfold-folder-1", then of each
  // file's name and bytes, each with its length before it (Sha256::AddText). Throws Error(kIo).
  std::string Sha256() const;
  // Copies the files to the folder `to`, which must not exist. Nobody can write to the copies.
  // Throws Error(kIo).
  void CopyTo(const std::filesystem::path& to) const;

 private:
  void List(const std::filesystem::path& root, const FolderLimits& limits);

  std::vector<File> files_;
  std::vector<std::filesystem::path> places_;
  std::string problem_;
};

// The crossfold.json of a folder.
struct FolderManifest {
  ManifestReading reading;
  std::string text;  // of the file
};
// Any bytes can be read safely.
FolderManifest ReadFolderManifest(const std::filesystem::path& folder);

}  // namespace crossfold
