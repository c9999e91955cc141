#include "registry/added_package.h"

#include <string>

#include "archive/zip_file.h"
#include "crossfold/error.h"
#include "engine/data/sha256.h"
#include "files/file_bytes.h"
#include "registry/host_platform.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHashInName = 16;  // digits

std::string HashOf(const fs::path& file) { return ToHex(Sha256Of(ReadFileBytes(file))); }

Submission SubmissionOf(const fs::path& file) {
  if (file.filename() == kSubmissionName) return ReadSubmission(file);
  Submission plain;
  plain.plugin = file;
  return plain;
}

// The examined plugin of a package is what the package says that it is.
void CheckDescription(const RegistryPlugin& described, const RegistryPlugin& examined,
                      const fs::path& file) {
  if (described.ids == examined.ids && described.sha256 == examined.sha256 &&
      described.libraries == examined.libraries &&
      described.platform.glibc == examined.platform.glibc) {
    return;
  }
  throw Error(ErrorKind::kBadPlugin,
              "cannot add plugin '" + file.string() +
                  "': its package.json is not what the plugin is; crossfold plugin pack makes it");
}

// What its builder found, as it cannot be checked here.
void CheckPassed(const RegistryPlugin& plugin, const fs::path& file) {
  if (!plugin.check || plugin.check->passed) return;
  throw Error(ErrorKind::kBadPlugin, "cannot add plugin '" + file.string() +
                                         "': it failed checks where it was packed (" +
                                         ToText(*plugin.check) + "); have it fixed there");
}

// Describes a copy of the package `file`, which nobody changes meanwhile.
RegistryPlugin CopyPackage(const fs::path& file, const fs::path& package, const fs::path& unpacked,
                           const PackOptions& options) {
  fs::copy_file(file, package);
  fs::create_directory(unpacked);
  RegistryPlugin plugin = UnpackPackage(package, unpacked, file);
  if (!RunsOn(plugin.platform, HostPlatform())) {
    if (!options.check) plugin.check.reset();
    CheckPassed(plugin, file);
    return plugin;
  }
  const RegistryPlugin examined = ExaminePlugin({unpacked / plugin.file, plugin.id, plugin.license,
                                                 plugin.vendor, plugin.title, plugin.homepage},
                                                options);
  CheckDescription(plugin, examined, file);
  plugin.check = examined.check;  // what was found here, or nothing
  return plugin;
}

}  // namespace

MadePackage MakePackage(const fs::path& file, const PackOptions& options, const fs::path& folder) {
  MadePackage made{file, folder / "package.zip", {}};
  fs::create_directory(folder);
  if (IsZipFile(file)) {
    made.plugin = CopyPackage(file, made.package, folder / "unpacked", options);
  } else {
    const Submission submission = SubmissionOf(file);
    made.plugin = ExaminePlugin(submission, options);
    WritePackage(submission.plugin, made.plugin, made.package);
  }
  RegistryPlugin& plugin = made.plugin;
  plugin.package_bytes = fs::file_size(made.package);
  plugin.package_sha256 = HashOf(made.package);
  // Another package of the same plugin has another name, as the index before still names that one.
  const fs::path name = PackageName(plugin);
  plugin.package = std::string(kPackageFolder) + "/" + name.stem().string() + "-" +
                   plugin.package_sha256.substr(0, kHashInName) + ".zip";
  return made;
}

}  // namespace crossfold
