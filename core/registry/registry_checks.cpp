#include "registry/registry_checks.h"

#include <algorithm>
#include <system_error>
#include <tuple>
#include <utility>

#include "crossfold/error.h"
#include "engine/data/sha256.h"
#include "files/file_bytes.h"
#include "files/scratch_folder.h"
#include "registry/json_fields.h"
#include "registry/plugin_fields.h"

namespace crossfold {
namespace {

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

CheckReport ReportOf(const std::filesystem::path& folder, const RegistryPlugin& plugin,
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

std::string PackageProblem(const std::filesystem::path& folder, const RegistryPlugin& plugin) {
  const std::filesystem::path file = folder / plugin.package;
  std::error_code none;
  if (!std::filesystem::exists(file, none)) return "there is no such file";
  const std::string sha256 = ToHex(Sha256Of(ReadFileBytes(file)));
  if (sha256 == plugin.package_sha256) return "";
  return "its SHA-256 is " + sha256 + ", the index has " + plugin.package_sha256;
}

CheckRecord CheckPackage(const std::filesystem::path& folder, const RegistryPlugin& plugin,
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
