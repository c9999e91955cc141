#include "programs/plugin/commands.h"

#include <cstdio>
#include <filesystem>
#include <system_error>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/json_value.h"
#include "crossfold/plugin_lock.h"
#include "crossfold/plugin_package.h"
#include "crossfold/table.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/standard_output.h"

namespace crossfold::cli {
namespace {

std::string ChecksText(const RegistryPlugin& plugin) {
  return plugin.check ? ToText(*plugin.check) : "not run; crossfold plugin check runs them";
}

void PrintField(const char* name, const std::string& value) {
  if (!value.empty()) Print("  " + std::string(name) + ": " + value + "\n");
}

std::string OrUnknown(const std::string& text) { return text.empty() ? "unknown" : text; }

void PrintInstalled(const PluginChange& change, const std::filesystem::path& lock) {
  const std::string how =
      change.before.empty() || change.before == change.after ? "" : ", instead of " + change.before;
  Print("installed " + change.id + " " + change.after + how + "\n");
  PrintField("registry", change.registry);
  PrintField("platform", change.plugin.platform.Name());
  PrintField("licence", OrUnknown(change.plugin.license));
  PrintField("checks", ChecksText(change.plugin));
  PrintField("file", change.path.string());
  PrintField("lock", lock.string());
}

// The lock that was named, or the one in the current folder if there is one.
std::filesystem::path LockOf(const std::string& given) {
  std::error_code none;
  if (!given.empty()) return given;
  return std::filesystem::exists(kLockName, none) ? kLockName : "";
}

Table UpdateTable(const std::vector<PluginUpdate>& updates) {
  Table table;
  table.columns = {"id", "installed", "available", "registry", "pinned"};
  for (const PluginUpdate& update : updates) {
    if (!update.is_outdated) continue;
    table.rows.push_back({update.id, update.installed, update.available, update.registry,
                          std::string(update.is_pinned ? "yes" : "no")});
  }
  return table;
}

JsonValue InfoJson(const std::string& id, const PluginInfo& info) {
  JsonList builds;
  for (const RegistryPlugin& build : info.builds) {
    builds.push_back(
        JsonObject{{"version", build.version},
                   {"platform", build.platform.Name()},
                   {"glibc", build.platform.glibc},
                   {"abi", std::to_string(build.abi_major) + "." + std::to_string(build.abi_minor)},
                   {"sha256", build.sha256},
                   {"package_bytes", build.package_bytes},
                   {"license", build.license},
                   {"checks", build.check ? JsonValue(ToText(*build.check)) : JsonValue()},
                   {"findings", build.check ? FindingsJson(*build.check) : JsonList()}});
  }
  return JsonObject{{"id", id},
                    {"registry", info.registry},
                    {"installed", info.installed},
                    {"pinned", info.is_pinned},
                    {"path", info.path.string()},
                    {"old_versions", info.old_versions},
                    {"builds", std::move(builds)}};
}

void PrintInfo(const std::string& id, const PluginInfo& info) {
  Print(id + "\n");
  PrintField("registry", info.registry);
  PrintField("installed", info.installed + (info.is_pinned ? " (pinned)" : ""));
  PrintField("file", info.path.string());
  std::string old;
  for (const std::string& version : info.old_versions) old += (old.empty() ? "" : ", ") + version;
  PrintField("versions for a rollback", old);
  if (info.builds.empty()) return;
  const RegistryPlugin& newest = info.builds.front();
  PrintField("title", newest.title);
  PrintField("vendor", newest.vendor);
  PrintField("licence", newest.license);
  PrintField("homepage", newest.homepage);
  PrintField("checks of the newest version", ChecksText(newest));
  Table table;
  table.columns = {"version", "platform", "glibc", "abi", "bytes", "sha256"};
  for (const RegistryPlugin& build : info.builds) {
    table.rows.push_back(
        {build.version, build.platform.Name(),
         build.platform.glibc.empty() ? TableCell() : TableCell(build.platform.glibc),
         std::to_string(build.abi_major) + "." + std::to_string(build.abi_minor),
         static_cast<std::int64_t>(build.package_bytes), build.sha256.substr(0, 12)});
  }
  Print("\n" + ToText(table));
  if (!newest.check || newest.check->findings.empty()) return;
  Table findings;
  findings.columns = {"check", "outcome", "component", "reason"};
  for (const RecordedFinding& finding : newest.check->findings) {
    findings.rows.push_back({finding.check, finding.outcome, finding.component, finding.text});
  }
  Print("\n" + ToText(findings));
}

int PackPlugin(const InstallCommandOptions& options) {
  PackOptions pack;
  pack.check = !options.no_check;
  const std::filesystem::path given =
      options.submission.empty() ? kSubmissionName : options.submission;
  Submission submission;
  submission.plugin = given;
  if (given.filename() == kSubmissionName) submission = ReadSubmission(given);
  const RegistryPlugin plugin = ExaminePlugin(submission, pack);
  const std::string output = options.output.empty() ? PackageName(plugin) : options.output;
  WritePackage(submission.plugin, plugin, output);
  Print("packed " + plugin.id + " " + plugin.version + " for " + plugin.platform.Name() + "\n");
  PrintField("checks", ChecksText(plugin));
  PrintField("package", output);
  return kOk;
}

InstallOptions ChangeOptions(const InstallCommandOptions& options) {
  InstallOptions install = ToInstallOptions(options.registry);
  install.lock = LockOf(options.lock);
  install.warn = [](const std::string& message) {
    std::fprintf(stderr, "crossfold: %s; it was left out\n", message.c_str());
  };
  install.on_changed = [lock = install.lock](const PluginChange& change) {
    PrintInstalled(change, lock);
  };
  return install;
}

int PrintOutdated(const InstallCommandOptions& options) {
  const Table table = UpdateTable(FindUpdates(ChangeOptions(options)));
  if (options.json) {
    Print(ToJson(table) + (ToJson(table).ends_with('\n') ? "" : "\n"));
  } else if (table.rows.empty()) {
    Print("no installed plugin has a newer version\n");
  } else {
    Print(ToText(table));
  }
  return kOk;
}

int Install(const InstallCommandOptions& options) {
  const InstallOptions with = ChangeOptions(options);
  const auto [id, version] = SplitVersion(options.id, "install");
  PrintInstalled(InstallPlugin(id, version, with), with.lock);
  return kOk;
}

int Update(const InstallCommandOptions& options) {
  const std::vector<PluginChange> changes = UpdatePlugins(options.ids, ChangeOptions(options));
  if (changes.empty()) Print("no installed plugin has a newer version\n");
  return kOk;
}

int Remove(const InstallCommandOptions& options) {
  const PluginChange change = RemovePlugin(options.id, ChangeOptions(options));
  Print("removed " + change.id + " " +
        (change.before.empty() ? "(its files were left)" : change.before) + "\n");
  return kOk;
}

int RollBack(const InstallCommandOptions& options) {
  const PluginChange change = RollBackPlugin(options.id, ChangeOptions(options));
  Print("rolled back " + change.id + " from " + change.before + " to " + change.after +
        ", which is pinned now\n");
  return kOk;
}

int Inform(const InstallCommandOptions& options) {
  const PluginInfo found = FindPluginInfo(options.id, ChangeOptions(options));
  if (options.json) {
    Print(JsonText(InfoJson(options.id, found), 2) + "\n");
  } else {
    PrintInfo(options.id, found);
  }
  return kOk;
}

}  // namespace

std::pair<std::string, std::string> SplitVersion(const std::string& text, const std::string& verb) {
  const std::size_t at = text.find('@');
  if (at == std::string::npos) return {text, ""};
  if (at + 1 < text.size()) return {text.substr(0, at), text.substr(at + 1)};
  throw Error(ErrorKind::kInvalidArgument,
              "cannot " + verb + " plugin '" + text + "': there is no version after '@'");
}

InstallOptions ToInstallOptions(const RegistryOptions& options) {
  InstallOptions install;
  install.from = options.from;
  if (!options.key.empty()) install.key = ReadPublicKey(options.key);
  install.allow_unsigned = options.allow_unsigned;
  install.allow_ended = options.allow_ended;
  return install;
}

int RunInstall(const std::string& name, const InstallCommandOptions& options) {
  if (name == "install") return Install(options);
  if (name == "update") return Update(options);
  if (name == "remove") return Remove(options);
  if (name == "rollback") return RollBack(options);
  if (name == "outdated") return PrintOutdated(options);
  return name == "info" ? Inform(options) : PackPlugin(options);
}

}  // namespace crossfold::cli
