#include "registry/plugin_download.h"

#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/plugin_package.h"
#include "engine/data/sha256.h"
#include "files/file_bytes.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHashInFolder = 12;  // digits

bool HasSameBytes(const RegistryPlugin& described, const RegistryPlugin& unpacked) {
  return described.id == unpacked.id && described.version == unpacked.version &&
         described.file == unpacked.file && described.sha256 == unpacked.sha256 &&
         described.libraries == unpacked.libraries && described.ids == unpacked.ids;
}

// Returns the bytes of the package after it has compared their hash.
std::string FetchPackage(const OpenRegistry& registry, const RegistryPlugin& plugin,
                         const std::string& attempt) {
  const std::string name = registry.place.location() + "/" + plugin.package;
  const std::optional<std::string> bytes =
      registry.place.Read(plugin.package, plugin.package_bytes);
  if (!bytes)
    RefuseRequest(attempt, "its package '" + name + "' is missing; ask the registry's owner");
  const std::string sha256 = ToHex(Sha256Of(*bytes));
  if (bytes->size() == plugin.package_bytes && sha256 == plugin.package_sha256) return *bytes;
  throw Error(ErrorKind::kBadData,
              attempt + ": the SHA-256 of '" + name + "' is " + sha256 + ", the index has " +
                  plugin.package_sha256 +
                  ": the package was changed; nothing was installed; ask the registry's owner");
}

// Puts what was unpacked on the disk, with its names.
void SyncFolders(const fs::path& folder) {
  SyncFolderOf(folder / "any");
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_directory()) SyncFolderOf(entry.path() / "any");
  }
}

InstalledVersion VersionOf(const OpenRegistry& registry, const RegistryPlugin& plugin) {
  const std::string name = plugin.version + "-" + plugin.package_sha256.substr(0, kHashInFolder);
  return {plugin.version,
          plugin.platform.Name(),
          plugin.sha256,
          registry.index.id,
          "plugins/" + plugin.id + "/" + name,
          plugin.file,
          plugin.libraries};
}

}  // namespace

// What the search finds at the place of an installed version; nullopt = not what was installed.
std::optional<PluginEntry> EntryOf(const InstalledVersion& version, const fs::path& installed) {
  PluginHostOptions host_options;
  SearchOnly({installed / version.folder / version.file}, host_options);
  host_options.hash_files = true;
  std::vector<PluginEntry> entries = PluginHost(std::move(host_options)).entries();
  const bool is_it = !entries.empty() && entries.front().sha256 == version.sha256 &&
                     entries.front().libraries == version.libraries;
  if (!is_it) return std::nullopt;
  return std::move(entries.front());
}

PluginDownload::PluginDownload(const OpenRegistry& registry, const RegistryPlugin& plugin,
                               const fs::path& installed, const std::string& attempt)
    : registry_(registry),
      plugin_(plugin),
      installed_(installed),
      attempt_(attempt),
      version_(VersionOf(registry, plugin)),
      // One name for all plugins, so that the next one removes what a killed process left.
      scratch_(ScratchFolder::NextTo(installed / "download")),
      unpacked_(scratch_->File("unpacked")) {}

// A process may have been killed while it removed the folder.
bool PluginDownload::IsPlaced() const {
  return fs::exists(installed_ / version_.folder) && EntryOf(version_, installed_);
}

void PluginDownload::Unpack() {
  const fs::path package = scratch_->File("package.zip");
  WriteFileBytes(package, FetchPackage(registry_, plugin_, attempt_), attempt_);
  fs::create_directory(unpacked_);
  if (!HasSameBytes(plugin_, UnpackPackage(package, unpacked_))) {
    RefuseRequest(attempt_,
                  "its package is not what the index describes; ask the registry's owner");
  }
  SyncFolders(unpacked_);
}

void PluginDownload::Fetch() {
  if (!IsPlaced()) Unpack();
}

void PluginDownload::Place() {
  if (!IsPlaced()) {
    if (!fs::exists(unpacked_)) Unpack();  // another process has removed the version meanwhile
    const fs::path folder = installed_ / version_.folder;
    fs::create_directories(folder.parent_path());
    if (fs::exists(folder)) fs::rename(folder, scratch_->File("damaged"));
    fs::rename(unpacked_, folder);
    SyncFolderOf(folder);
  }
  scratch_.reset();
}

}  // namespace crossfold
