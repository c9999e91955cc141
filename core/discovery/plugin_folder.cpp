#include "discovery/plugin_folder.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "crossfold/error.h"
#include "crossfold_plugin/folder.h"
#include "discovery/manifest_file.h"
#include "discovery/plugin_file.h"
#include "engine/data/sha256.h"
#include "engine/plugin/defect.h"
#include "engine/plugin/foreign_text.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPythonCache = "__pycache__";
constexpr const char* kGitFolder = ".git";
constexpr std::uint64_t kMaxManifestBytes = std::uint64_t{1} << 20;

std::string QuotedName(const std::string& name) { return "'" + CleanText(name.c_str()) + "'"; }

bool IsIn(const fs::path& folder, const fs::path& path) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

// Returns the file to which the link leads. Throws Defect unless it is in the folder. `root` has no
// links.
fs::path TargetOf(const fs::path& link, const std::string& name, const fs::path& root) {
  std::error_code failure;
  const fs::path target = fs::canonical(link, failure);
  const std::string its = "its link " + QuotedName(name) + " leads ";
  if (failure) throw Defect{its + "nowhere"};
  if (!IsIn(root, target)) throw Defect{its + "out of the folder; put a copy in its place"};
  if (!fs::is_regular_file(target, failure)) {
    throw Defect{its + "to something that is not a file; put a copy in its place"};
  }
  return target;
}

// Counts what a folder has, up to the limits.
class FolderSize {
 public:
  explicit FolderSize(const FolderLimits& limits) : limits_(limits) {}

  void Add(const fs::path& file) {
    std::error_code failure;
    bytes_ += fs::file_size(file, failure);
    if (failure) throw Defect{"its files cannot be read: " + failure.message()};
    if (bytes_ > limits_.bytes) {
      throw Defect{"its files have more than " + std::to_string(limits_.bytes) + " bytes"};
    }
  }
  void AddEntry() {
    if (++entries_ > limits_.entries) {
      throw Defect{"it has more than " + std::to_string(limits_.entries) + " files and folders"};
    }
  }

 private:
  const FolderLimits& limits_;
  std::uint64_t bytes_ = 0;
  std::size_t entries_ = 0;
};

// Throws Error if the file has become shorter meanwhile.
void AddFile(const PluginFolder::File& file, Sha256& hash) {
  const PluginFile opened(file.path);
  if (!opened.problem().empty()) {
    throw Error(ErrorKind::kIo, "cannot read '" + file.path.string() + "': " + opened.problem());
  }
  hash.AddText(file.name);
  hash.AddInteger(opened.size());
  opened.AddTo(hash);
}

}  // namespace

bool IsPluginFolder(const fs::path& path) {
  std::error_code failure;
  return path.filename().string().ends_with(CF_FOLDER_SUFFIX) && fs::is_directory(path, failure);
}

PluginFolder::PluginFolder(const fs::path& path, const FolderLimits& limits) {
  std::error_code failure;
  const fs::path root = fs::canonical(path, failure);
  if (failure) {
    problem_ = "it cannot be read: " + failure.message();
    return;
  }
  places_ = {path};
  try {
    List(root, limits);
  } catch (const Defect& defect) {
    problem_ = defect.text;
  }
  std::sort(files_.begin(), files_.end(),
            [](const File& a, const File& b) { return a.name < b.name; });
}

void PluginFolder::List(const fs::path& root, const FolderLimits& limits) {
  FolderSize size(limits);
  std::error_code failure;
  fs::recursive_directory_iterator it(root, failure);
  for (; !failure && it != fs::recursive_directory_iterator(); it.increment(failure)) {
    const fs::path& path = it->path();
    places_.push_back(path);
    const fs::file_type type = it->symlink_status(failure).type();
    if (type == fs::file_type::directory && path.filename() == kGitFolder) {
      it.disable_recursion_pending();
    }
    const fs::path inside = path.lexically_relative(root);
    const bool is_cached = std::find(inside.begin(), inside.end(), kPythonCache) != inside.end();
    size.AddEntry();
    if (type == fs::file_type::directory || is_cached) continue;
    const std::string name = inside.string();
    if (type == fs::file_type::symlink) {
      files_.push_back({name, TargetOf(path, name, root)});
    } else if (type == fs::file_type::regular) {
      files_.push_back({name, path});
    } else {
      throw Defect{"its " + QuotedName(name) + " is a pipe, a socket or a device"};
    }
    size.Add(files_.back().path);
  }
  if (failure) throw Defect{"it cannot be read: " + failure.message()};
}

std::string PluginFolder::Sha256() const {
  class Sha256 hash;
  hash.AddText("crossfold-folder-1");
  for (const File& file : files_) AddFile(file, hash);
  return ToHex(hash.Finish());
}

void PluginFolder::CopyTo(const fs::path& to) const {
  constexpr auto kRead = fs::perms::owner_read, kRun = fs::perms::owner_exec;
  try {
    fs::create_directory(to);
    for (const File& file : files_) {
      const fs::path copy = to / file.name;
      fs::create_directories(copy.parent_path());
      fs::copy_file(file.path, copy);
      const bool is_program = (fs::status(file.path).permissions() & kRun) != fs::perms::none;
      fs::permissions(copy, is_program ? kRead | kRun : kRead);
    }
  } catch (const fs::filesystem_error& e) {
    throw Error(ErrorKind::kIo, "it cannot be copied to '" + to.parent_path().string() +
                                    "': " + e.code().message() +
                                    "; set TMPDIR to a folder with enough space");
  }
}

FolderManifest ReadFolderManifest(const fs::path& folder) {
  FolderManifest manifest;
  std::string& problem = manifest.reading.problem;
  const PluginFile file(folder / CF_FOLDER_MANIFEST);
  if (!IdOfFile(folder / CF_FOLDER_MANIFEST)) {
    problem = std::string("it has no ") + CF_FOLDER_MANIFEST;
  } else if (!file.problem().empty()) {
    problem = std::string("its ") + CF_FOLDER_MANIFEST + ": " + file.problem();
  } else if (file.size() > kMaxManifestBytes) {
    problem = std::string("its ") + CF_FOLDER_MANIFEST + " has more than 1 MiB";
  } else {
    manifest.text.resize(file.size());
    if (!file.Read(0, manifest.text)) manifest.text.clear();  // it has become shorter
    manifest.reading = ParseFolderManifest(manifest.text);
  }
  return manifest;
}

}  // namespace crossfold
