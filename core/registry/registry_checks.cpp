#include "registry/registry_checks.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "crossfold/error.h"
#include "files/scratch_folder.h"
#include "registry/check_record.h"
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

}  // namespace

CheckRecord CheckPackage(const std::filesystem::path& package, const std::string& host,
                         const CheckOptions& options) {
  const ScratchFolder scratch = ScratchFolder::Temporary();
  try {
    const RegistryPlugin plugin = UnpackPackage(package, scratch.path());
    return RecordOf(CheckPlugin(scratch.path() / plugin.file, options), host);
  } catch (const Error& error) {
    CheckReport report;
    report.seed = options.seed;
    report.results.push_back({"package", "", CheckOutcome::kFailed, error.what(), 0});
    return RecordOf(report, host);
  }
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
