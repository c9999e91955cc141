#include "crossfold/plugin_package.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "archive/zip_file.h"
#include "crossfold/error.h"
#include "crossfold/json_value.h"
#include "crossfold/plugin_host.h"
#include "crossfold/version.h"
#include "crossfold_plugin/folder.h"
#include "discovery/library_facts.h"
#include "discovery/manifest_file.h"
#include "discovery/plugin_file.h"
#include "discovery/plugin_folder.h"
#include "engine/plugin/foreign_text.h"
#include "files/file_bytes.h"
#include "files/file_descriptor.h"
#include "files/scratch_folder.h"
#include "registry/host_platform.h"
#include "registry/plugin_fields.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDescriptionName = "package.json";
constexpr std::int64_t kPackageVersion = 1, kSubmissionVersion = 1;
constexpr std::string_view kReservedStart = "crossfold.";
constexpr std::uint64_t kMaxDescription = std::uint64_t{16} << 20;

[[noreturn]] void Refuse(const fs::path& plugin, const std::string& finding) {
  throw Error(ErrorKind::kBadPlugin, "cannot pack plugin '" + plugin.string() + "': " + finding);
}

PluginHostOptions OnlyThis(const fs::path& plugin) {
  PluginHostOptions options;
  SearchOnly({plugin}, options);
  options.use_installation = true;  // has what runs folders
  options.hash_files = true;
  return options;
}

PluginEntry EntryOf(const fs::path& plugin) {
  const PluginHost host(OnlyThis(plugin));
  const std::vector<PluginEntry> entries = host.entries();
  // The named path is searched before the bundled plugins.
  if (entries.empty() || !fs::exists(plugin)) Refuse(plugin, "there is no such file or folder");
  const PluginEntry& entry = entries.front();
  if (!entry.rejected.empty()) Refuse(plugin, entry.rejected);
  if (entry.id.starts_with(kReservedStart)) {
    Refuse(plugin, "its id '" + entry.id +
                       "' is reserved for the plugins of Crossfold; choose an id of your own");
  }
  if (!IsFileWord(entry.version)) {
    Refuse(plugin, "its version '" + entry.version + "' is not made of letters, digits and '.+-_'");
  }
  return entry;
}

Platform PlatformOf(const PluginEntry& entry) {
  if (entry.is_folder) return {};
  const PluginFile file(entry.path);
  const LibraryReading reading = ReadLibraryFacts(file.size(), file.reader());
  Platform platform = HostPlatform();  // files for other machines were refused
  const std::string glibc = reading.facts.HighestVersion("GLIBC");
  platform.glibc = glibc.empty() ? "" : glibc.substr(glibc.find('_') + 1);
  return platform;
}

void CheckLibraries(const PluginEntry& entry) {
  for (const LockedLibrary& library : entry.libraries) {
    if (!library.file.starts_with("..")) continue;
    Refuse(entry.path, "its library '" + library.file +
                           "' is not in its folder; put it there, and link with $ORIGIN");
  }
}

// The names of the checks that the plugin does not pass.
std::string FailedChecks(const CheckReport& report) {
  std::string text;
  for (const CheckResult& result : report.results) {
    if (!IsBad(result.outcome)) continue;
    text += (text.empty() ? "" : ", ") + result.check;
    if (!result.component.empty()) text += " of " + result.component;
  }
  return text;
}

// What the plugin itself declares. It is loaded.
void AddDeclared(const fs::path& path, RegistryPlugin& plugin) {
  const PluginHost host(OnlyThis(path));
  const auto components = host.FindPlugin(path.string());
  const LoadedPlugin& loaded = *components.front()->plugin;
  const auto fill = [](std::string& field, const std::string& declared) {
    if (field.empty()) field = CleanText(declared.c_str());
  };
  fill(plugin.license, loaded.license);
  fill(plugin.vendor, loaded.vendor);
  fill(plugin.title, components.front()->title);
}

std::string DescriptionText(const RegistryPlugin& plugin) {
  JsonObject json = {{"crossfold_package", kPackageVersion}};
  for (JsonMember& member : ToJson(plugin)) json.push_back(std::move(member));
  return JsonText(std::move(json), 1) + "\n";
}

bool IsProgram(const fs::path& file) {
  return (fs::status(file).permissions() & fs::perms::owner_exec) != fs::perms::none;
}

// Writes an archive; it appears whole, or not at all.
void WriteEntries(const fs::path& plugin, const RegistryPlugin& described,
                  const fs::path& package) {
  ZipWriter zip(package);
  zip.Add(kDescriptionName, DescriptionText(described));
  if (!described.is_folder) {
    zip.AddFile(described.file, plugin);
    for (const LockedLibrary& library : described.libraries) {
      zip.AddFile(library.file, plugin.parent_path() / library.file);
    }
    zip.Finish();
    return;
  }
  const PluginFolder folder(plugin);
  if (!folder.problem().empty()) Refuse(plugin, folder.problem());
  for (const PluginFolder::File& file : folder.files()) {
    zip.AddFile(described.file + "/" + file.name, file.path, IsProgram(file.path));
  }
  zip.Finish();
}

// Whether the entry of an archive is a path in the folder into which it is unpacked.
bool IsInside(const std::string& name) {
  if (name.empty() || name.front() == '/' || name.back() == '/' || !IsCleanLine(name)) return false;
  for (const fs::path& part : fs::path(name)) {
    if (part == ".." || part == "." || part.empty()) return false;
  }
  return true;
}

// The files that package.json explains. Those of a folder are known by its hash.
void CheckNames(const std::vector<std::string>& names, const RegistryPlugin& plugin) {
  std::set<std::string> expected = {kDescriptionName};
  if (!plugin.is_folder) expected.insert(plugin.file);
  for (const LockedLibrary& library : plugin.libraries) expected.insert(library.file);
  std::set<std::string> seen;
  for (const std::string& name : names) {
    const bool is_of_folder = plugin.is_folder && name.starts_with(plugin.file + "/");
    if (!IsInside(name) || !(is_of_folder || expected.contains(name))) {
      throw Defect{"it has an unexpected file '" + CleanText(name.c_str()) + "'"};
    }
    if (!seen.insert(name).second) throw Defect{"it has '" + name + "' twice"};
  }
  for (const std::string& name : expected) {
    if (!seen.contains(name)) throw Defect{"it has no '" + name + "'"};
  }
}

void WriteUnpacked(const ZipReader& zip, const std::string& name, const fs::path& folder) {
  const fs::path path = folder / name;
  fs::create_directories(path.parent_path());
  const mode_t mode = zip.IsProgram(name) ? 0755 : 0644;
  const FileDescriptor file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  bool is_written = file.is_open();
  zip.Read(name, zip.most(),
           [&](std::string_view bytes) { is_written = is_written && WriteAll(file.get(), bytes); });
  if (is_written && ::fsync(file.get()) == 0) return;
  throw Error(ErrorKind::kIo, "cannot write '" + path.string() +
                                  "': " + std::generic_category().message(errno) +
                                  "; make room on the disk");
}

std::string HashOfFile(const fs::path& path) {
  const PluginFile file(path);
  if (!file.problem().empty())
    throw Defect{"its '" + path.filename().string() + "': " + file.problem()};
  return file.Sha256();
}

void CheckHash(const std::string& name, const std::string& actual, const std::string& expected) {
  if (actual == expected) return;
  throw Defect{"the SHA-256 of its '" + name + "' is " + actual + ", package.json has " + expected};
}

void CheckHashes(const fs::path& folder, const RegistryPlugin& plugin, std::size_t n_files) {
  const fs::path path = folder / plugin.file;
  if (!plugin.is_folder) {
    CheckHash(plugin.file, HashOfFile(path), plugin.sha256);
    for (const LockedLibrary& library : plugin.libraries) {
      CheckHash(library.file, HashOfFile(folder / library.file), library.sha256);
    }
    return;
  }
  const PluginFolder unpacked(path);
  if (!unpacked.problem().empty()) throw Defect{unpacked.problem()};
  if (unpacked.files().size() != n_files) {
    throw Defect{"it has files in '__pycache__' or '.git', which its hash does not cover"};
  }
  CheckHash(plugin.file, unpacked.Sha256(), plugin.sha256);
}

RegistryPlugin Describe(const ZipReader& zip) {
  if (std::ranges::find(zip.names(), kDescriptionName) == zip.names().end()) {
    throw Defect{std::string("it has no '") + kDescriptionName +
                 "'; crossfold plugin pack makes packages"};
  }
  std::string text;
  zip.Read(kDescriptionName, kMaxDescription, [&](std::string_view bytes) { text += bytes; });
  const JsonValue json = ReadDocument(text);
  const JsonFields fields(json, kDescriptionName);
  fields.CheckVersion("crossfold_package", kPackageVersion);
  RegistryPlugin plugin = ReadPlugin(fields);
  const std::string suffix = plugin.is_folder ? CF_FOLDER_SUFFIX : ".crossfold.so";
  if (!plugin.file.ends_with(suffix)) throw Defect{"its plugin is not a file *" + suffix};
  if (plugin.id.starts_with(kReservedStart)) throw Defect{"its id '" + plugin.id + "' is reserved"};
  return plugin;
}

// A package says what it has; this is what is in it.
void CheckManifest(const fs::path& path, const RegistryPlugin& plugin) {
  if (!plugin.is_folder && plugin.platform.Name() != HostPlatform().Name()) return;
  const ManifestReading reading = ReadManifestFile(path);
  const Manifest& manifest = reading.manifest;
  if (!reading.problem.empty()) throw Defect{reading.problem};
  if (manifest.id != plugin.id || manifest.version != plugin.version ||
      manifest.ids != plugin.ids) {
    throw Defect{"package.json describes " + plugin.id + " " + plugin.version +
                 " with other components than its plugin, " + manifest.id + " " + manifest.version};
  }
}

}  // namespace

Submission ReadSubmission(const fs::path& file) {
  const std::string attempt = "cannot read submission '" + file.string() + "'";
  const std::string text = ReadFileBytes(file, attempt);
  try {
    const JsonValue json = ReadDocument(text);
    const JsonFields fields(json, "it");
    fields.CheckVersion("crossfold_plugin", kSubmissionVersion);
    return {file.parent_path() / fields.Line("artifact"),
            IdIn(fields),
            fields.OptionalLine("license"),
            fields.OptionalLine("vendor"),
            fields.OptionalLine("title"),
            fields.OptionalLine("homepage")};
  } catch (const Defect& defect) {
    throw Error(ErrorKind::kBadData, attempt + ": " + defect.text);
  }
}

RegistryPlugin ExaminePlugin(const Submission& submission, const PackOptions& options) {
  const PluginEntry entry = EntryOf(submission.plugin);
  if (!submission.id.empty() && entry.id != submission.id) {
    Refuse(submission.plugin,
           "its id is '" + entry.id + "', " + kSubmissionName + " has '" + submission.id + "'");
  }
  CheckLibraries(entry);
  RegistryPlugin plugin;
  plugin.id = entry.id;
  plugin.version = entry.version;
  plugin.ids = entry.ids;
  plugin.abi_major = CF_ABI_MAJOR;
  plugin.abi_minor = entry.abi_minor;
  plugin.platform = PlatformOf(entry);
  plugin.file = entry.path.filename().string();
  plugin.is_folder = entry.is_folder;
  plugin.sha256 = entry.sha256;
  plugin.libraries = entry.libraries;
  plugin.license = submission.license;
  plugin.vendor = submission.vendor;
  plugin.title = submission.title;
  plugin.homepage = submission.homepage;
  if (!options.check) return plugin;
  const CheckReport report = CheckPlugin(submission.plugin, options.check_options);
  if (!report.passed()) {
    Refuse(submission.plugin,
           "it does not pass " + FailedChecks(report) + "; crossfold plugin check says why");
  }
  plugin.check = RecordOf(report, std::string(Version()));
  AddDeclared(submission.plugin, plugin);
  return plugin;
}

std::string PackageName(const RegistryPlugin& plugin) {
  return plugin.id + "-" + plugin.version + "-" + plugin.platform.Name() + ".zip";
}

void WritePackage(const fs::path& plugin, const RegistryPlugin& described,
                  const fs::path& package) {
  const std::string attempt = "cannot write '" + package.string() + "'";
  try {
    const ScratchFolder scratch = ScratchFolder::NextTo(RealPath(package));
    const fs::path fresh = scratch.File("new");
    WriteEntries(plugin, described, fresh);
    const FileDescriptor written(::open(fresh.c_str(), O_RDONLY | O_CLOEXEC));
    if (::fsync(written.get()) == 0 && ::rename(fresh.c_str(), package.c_str()) == 0) return;
    throw std::system_error(errno, std::generic_category());
  } catch (const std::system_error& e) {
    throw Error(ErrorKind::kIo, attempt + ": " + e.code().message() + "; choose another place");
  }
}

RegistryPlugin UnpackPackage(const fs::path& package, const fs::path& folder,
                             const fs::path& name) {
  try {
    const ZipReader zip(package);
    RegistryPlugin plugin = Describe(zip);
    CheckNames(zip.names(), plugin);
    for (const std::string& name : zip.names()) WriteUnpacked(zip, name, folder);
    CheckHashes(folder, plugin, zip.names().size() - 1);
    CheckManifest(folder / plugin.file, plugin);
    return plugin;
  } catch (const Defect& defect) {
    const fs::path& shown = name.empty() ? package : name;
    throw Error(ErrorKind::kBadData, "cannot unpack '" + shown.string() + "': " + defect.text);
  }
}

}  // namespace crossfold
