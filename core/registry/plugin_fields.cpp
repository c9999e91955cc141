#include "registry/plugin_fields.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <utility>

#include "engine/plugin/foreign_text.h"
#include "engine/plugin/manifest.h"
#include "engine/text/utc_time.h"

namespace crossfold {
namespace {

constexpr std::string_view kPackageStart = "packages/";

// Names of packages become paths, so they are made of few characters.
bool IsPackagePath(std::string_view path) {
  if (!path.starts_with(kPackageStart)) return false;
  path.remove_prefix(kPackageStart.size());
  return !path.empty() && path.front() != '.' && IsFileWord(path);
}

void ReadAbi(const JsonFields& fields, RegistryPlugin& plugin) {
  const std::string text = fields.Line("abi");
  const char* end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, plugin.abi_major);
  const bool has_dot = major.ec == std::errc() && major.ptr != end && *major.ptr == '.';
  const auto minor = std::from_chars(has_dot ? major.ptr + 1 : end, end, plugin.abi_minor);
  if (!has_dot || minor.ec != std::errc() || minor.ptr != end) {
    fields.Refuse("abi", "is not MAJOR.MINOR");
  }
}

Kind KindOf(const JsonFields& fields) {
  const std::string name = fields.Line("kind");
  const auto* kind = std::find_if(kKinds.begin(), kKinds.end(),
                                  [&](Kind known) { return KindName(known) == name; });
  if (kind == kKinds.end()) fields.Refuse("kind", "is not a kind of component");
  return *kind;
}

Platform ReadPlatform(const JsonFields& fields) {
  Platform platform{fields.Line("os"), fields.Line("arch"), fields.OptionalLine("glibc")};
  if (!IsFileWord(platform.Name())) fields.Refuse("arch", "is not the name of a machine");
  return platform;
}

// Whether a part of the path is a plugin of its own.
bool HasPlugin(const std::filesystem::path& path) {
  return std::any_of(path.begin(), path.end(), [](const std::filesystem::path& part) {
    const std::string name = part.string();
    return name.ends_with(".crossfold") || name.ends_with(".crossfold.so");
  });
}

void CheckParts(const JsonFields& fields, const RegistryPlugin& plugin) {
  if (plugin.is_folder != (plugin.platform.os == "any")) {
    fields.Refuse("os", "is 'any' for folders, and only for these");
  }
  if (plugin.is_folder && !plugin.libraries.empty()) {
    fields.Refuse("libraries", "is for shared libraries; those of a folder are in it");
  }
  for (const LockedLibrary& library : plugin.libraries) {
    if (HasPlugin(library.file)) fields.Refuse("libraries", "has a plugin");
  }
}

}  // namespace

bool IsFileWord(std::string_view text) {
  constexpr std::size_t kMaxLength = 200;
  const bool is_made_of_these = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._+-").find(c) != std::string_view::npos;
  });
  return !text.empty() && text.size() <= kMaxLength && is_made_of_these && text != "." &&
         text != "..";
}

std::string IdIn(const JsonFields& fields) {
  std::string id = fields.Line("id");
  // It also names a folder.
  if (!IsWellFormedId(id) || !IsFileWord(id)) {
    fields.Refuse("id", "is not made of a-z, 0-9, '_', '.' and '-'");
  }
  return id;
}

CheckRecord RecordOf(const CheckReport& report, const std::string& host) {
  CheckRecord record;
  record.host = host;
  record.date = UtcDate();
  record.seed = report.seed;
  record.passed = report.passed();
  for (const CheckResult& result : report.results) {
    const std::string outcome(CheckOutcomeName(result.outcome));
    ++record.counts[outcome];
    if (result.outcome == CheckOutcome::kOk) continue;
    record.findings.push_back(
        {result.check, result.component, outcome, CleanText(result.text.c_str())});
  }
  return record;
}

std::string ToText(const CheckRecord& record) {
  std::string text;
  for (const auto& [outcome, n] : record.counts) {
    text += (text.empty() ? "" : ", ") + std::to_string(n) + " " + outcome;
  }
  return text + " (Crossfold " + record.host + ", " + record.date + ")";
}

CheckRecord ReadCheckRecord(const JsonFields& fields) {
  CheckRecord record;
  record.host = fields.Line("host");
  record.date = fields.Line("date");
  record.seed = static_cast<std::uint64_t>(fields.Count("seed"));
  record.passed = fields.Flag("passed");
  const JsonFields counts = fields.Object("counts");
  for (const JsonMember& member : counts.members()) {
    if (!IsFileWord(member.name)) counts.Refuse("outcome", "is not the name of an outcome");
    record.counts[member.name] = counts.Count(member.name.c_str());
  }
  for (const JsonFields& finding : fields.Objects("findings", "finding")) {
    record.findings.push_back({finding.Line("check"), finding.OptionalLine("component"),
                               finding.Line("outcome"), finding.OptionalLine("text")});
  }
  return record;
}

JsonValue FindingsJson(const CheckRecord& record) {
  JsonList findings;
  for (const RecordedFinding& finding : record.findings) {
    findings.push_back(JsonObject{{"check", finding.check},
                                  {"component", finding.component},
                                  {"outcome", finding.outcome},
                                  {"text", finding.text}});
  }
  return findings;
}

JsonObject ToJson(const CheckRecord& record) {
  JsonObject counts;
  for (const auto& [outcome, n] : record.counts) counts.push_back({outcome, n});
  return {{"host", record.host},         {"date", record.date},
          {"seed", record.seed},         {"passed", record.passed},
          {"counts", std::move(counts)}, {"findings", FindingsJson(record)}};
}

RegistryPlugin ReadPlugin(const JsonFields& fields) {
  RegistryPlugin plugin;
  plugin.id = IdIn(fields);
  plugin.version = fields.Line("version");
  if (!IsFileWord(plugin.version)) fields.Refuse("version", "is not a version");
  for (const JsonFields& component : fields.Objects("components", "component")) {
    plugin.ids[KindOf(component)].push_back(IdIn(component));
  }
  ReadAbi(fields, plugin);
  plugin.platform = ReadPlatform(fields);
  plugin.file = fields.Line("file");
  if (!IsFileWord(plugin.file)) fields.Refuse("file", "is not the name of a file");
  plugin.is_folder = fields.Flag("folder");
  plugin.sha256 = fields.Sha256("sha256");
  for (const JsonFields& library : fields.Objects("libraries", "library")) {
    plugin.libraries.push_back({library.Line("file"), library.Sha256("sha256")});
  }
  CheckParts(fields, plugin);
  std::sort(plugin.libraries.begin(), plugin.libraries.end());
  plugin.license = fields.OptionalLine("license");
  plugin.vendor = fields.OptionalLine("vendor");
  plugin.title = fields.OptionalLine("title");
  plugin.homepage = fields.OptionalLine("homepage");
  if (fields.Has("check")) plugin.check = ReadCheckRecord(fields.Object("check"));
  return plugin;
}

JsonObject ToJson(const RegistryPlugin& plugin) {
  JsonList kinds, components, libraries;
  for (const Kind kind : kKinds) {
    if (!plugin.ids[kind].empty()) kinds.emplace_back(KindName(kind));
    for (const std::string& id : plugin.ids[kind]) {
      components.push_back(JsonObject{{"id", id}, {"kind", KindName(kind)}});
    }
  }
  for (const LockedLibrary& library : plugin.libraries) {
    libraries.push_back(JsonObject{{"file", library.file}, {"sha256", library.sha256}});
  }
  const std::string abi = std::to_string(plugin.abi_major) + "." + std::to_string(plugin.abi_minor);
  const auto or_null = [](const std::string& text) {
    return text.empty() ? JsonValue() : JsonValue(text);
  };
  return {{"id", plugin.id},
          {"version", plugin.version},
          {"kinds", std::move(kinds)},
          {"components", std::move(components)},
          {"abi", abi},
          {"os", plugin.platform.os},
          {"arch", plugin.platform.arch},
          {"glibc", or_null(plugin.platform.glibc)},
          {"file", plugin.file},
          {"folder", plugin.is_folder},
          {"sha256", plugin.sha256},
          {"libraries", std::move(libraries)},
          {"license", or_null(plugin.license)},
          {"vendor", or_null(plugin.vendor)},
          {"title", or_null(plugin.title)},
          {"homepage", or_null(plugin.homepage)},
          {"check", plugin.check ? JsonValue(ToJson(*plugin.check)) : JsonValue()}};
}

std::string Platform::Name() const { return os == "any" ? os : os + "-" + arch; }

RegistryPlugin ReadListedPlugin(const JsonFields& fields) {
  RegistryPlugin plugin = ReadPlugin(fields);
  plugin.package = fields.Line("package");
  if (!IsPackagePath(plugin.package)) fields.Refuse("package", "is not a file in packages/");
  plugin.package_bytes = static_cast<std::uint64_t>(fields.Count("package_bytes"));
  plugin.package_sha256 = fields.Sha256("package_sha256");
  return plugin;
}

JsonObject ListedJson(const RegistryPlugin& plugin) {
  JsonObject json = ToJson(plugin);
  json.push_back({"package", plugin.package});
  json.push_back({"package_bytes", plugin.package_bytes});
  json.push_back({"package_sha256", plugin.package_sha256});
  return json;
}

}  // namespace crossfold
