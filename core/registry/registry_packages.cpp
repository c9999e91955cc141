#include "registry/registry_packages.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>

#include "archive/zip_file.h"
#include "crossfold/error.h"
#include "engine/data/sha256.h"
#include "files/file_bytes.h"
#include "files/scratch_folder.h"
#include "registry/host_platform.h"
#include "registry/json_fields.h"
#include "registry/plugin_fields.h"

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

// ---- checks ----

constexpr std::int64_t kChecksVersion = 1;

std::vector<HostCheck> ReadHostChecks(std::string_view text) {
  const JsonValue json = ReadDocument(text, "it ");
  const JsonFields fields(json, "it");
  fields.CheckVersion("crossfold_registry_checks", kChecksVersion);
  std::vector<HostCheck> checks;
  for (const JsonFields& entry : fields.Objects("results", "result")) {
    checks.push_back({IdIn(entry), entry.Line("version"), entry.Line("platform"),
                      entry.Sha256("package_sha256"), ReadCheckRecord(entry.Object("check"))});
  }
  return checks;
}

CheckReport FailedPackage(const std::string& finding, const CheckOptions& options) {
  CheckReport report;
  report.seed = options.seed;
  report.results.push_back({"package", "", CheckOutcome::kFailed, finding, 0});
  return report;
}

CheckReport ReportOf(const fs::path& folder, const RegistryPlugin& plugin,
                     const CheckOptions& options) {
  const std::string problem = PackageProblem(folder, plugin);
  if (!problem.empty()) return FailedPackage(plugin.package + ": " + problem, options);
  const ScratchFolder scratch = ScratchFolder::Temporary();
  try {
    UnpackPackage(folder / plugin.package, scratch.path());
    return CheckPlugin(scratch.path() / plugin.file, options);
  } catch (const Error& error) {
    return FailedPackage(error.what(), options);
  }
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

std::string PackageProblem(const fs::path& folder, const RegistryPlugin& plugin) {
  const fs::path file = folder / plugin.package;
  std::error_code none;
  if (!fs::exists(file, none)) return "there is no such file";
  const std::string sha256 = ToHex(Sha256Of(ReadFileBytes(file)));
  if (sha256 == plugin.package_sha256) return "";
  return "its SHA-256 is " + sha256 + ", the index has " + plugin.package_sha256;
}

CheckRecord CheckPackage(const fs::path& folder, const RegistryPlugin& plugin,
                         const std::string& host, const CheckOptions& options) {
  return RecordOf(ReportOf(folder, plugin, options), host);
}

std::vector<HostCheck> ParseHostChecks(std::string_view text, const std::string& attempt) {
  try {
    return ReadHostChecks(text);
  } catch (const Defect& defect) {
    throw Error(ErrorKind::kBadData, attempt + ": " + kChecksName + ": " + defect.text);
  }
}

std::string HostChecksText(std::vector<HostCheck> checks) {
  std::stable_sort(checks.begin(), checks.end(), [](const HostCheck& a, const HostCheck& b) {
    if (a.id != b.id) return a.id < b.id;
    if (IsOlderVersion(a.version, b.version)) return true;
    if (IsOlderVersion(b.version, a.version)) return false;
    return std::tie(a.version, a.platform, a.check.host) <
           std::tie(b.version, b.platform, b.check.host);
  });
  JsonList results;
  for (const HostCheck& entry : checks) {
    results.push_back(JsonObject{{"id", entry.id},
                                 {"version", entry.version},
                                 {"platform", entry.platform},
                                 {"package_sha256", entry.package_sha256},
                                 {"check", ToJson(entry.check)}});
  }
  return JsonText(JsonObject{{"crossfold_registry_checks", kChecksVersion},
                             {"results", std::move(results)}},
                  1) +
         "\n";
}

}  // namespace crossfold
