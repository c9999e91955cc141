#include "programs/cli/install_command.h"

#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/json_value.h"
#include "crossfold/plugin_lock.h"
#include "crossfold/plugin_package.h"
#include "crossfold/table.h"
#include "programs/cli/command.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/standard_output.h"

namespace crossfold::cli {

struct InstallCommandOptions {
  RegistryOptions registry;
  std::string id, lock, submission, output;
  std::vector<std::string> ids;
  bool json = false, no_check = false;
};

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

}  // namespace

std::pair<std::string, std::string> SplitVersion(const std::string& text, const std::string& verb) {
  const std::size_t at = text.find('@');
  if (at == std::string::npos) return {text, ""};
  if (at + 1 < text.size()) return {text.substr(0, at), text.substr(at + 1)};
  throw Error(ErrorKind::kInvalidArgument,
              "cannot " + verb + " plugin '" + text + "': there is no version after '@'");
}

void DeclareRegistry(Command& command, RegistryOptions& options) {
  command.AddOption("--from", options.from,
                    "Registry: a folder, a URL or the id of a known one; default all known ones");
  command.AddOption("--key", options.key,
                    "Public key (RW... or its file) that signs a registry seen for the first time");
  command.AddFlag("--unsigned", options.allow_unsigned,
                  "Also accept an index that is not signed by a key that you trust");
  command.AddFlag("--ended", options.allow_ended, "Also accept an index whose last day is over");
}

InstallOptions ToInstallOptions(const RegistryOptions& options) {
  InstallOptions install;
  install.from = options.from;
  if (!options.key.empty()) install.key = ReadPublicKey(options.key);
  install.allow_unsigned = options.allow_unsigned;
  install.allow_ended = options.allow_ended;
  return install;
}

struct InstallCommands::Impl {
  explicit Impl(Command& plugin);
  InstallOptions Install() const {
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
  int PrintOutdated() const;
  int Run() const;

  InstallCommandOptions options;
  const Command *install, *update, *remove, *rollback, *outdated, *info, *pack;
};

InstallCommands::Impl::Impl(Command& plugin) {
  const auto add_lock = [&](Command& command) {
    command
        .AddOption("--lock", options.lock,
                   "Lock file to change; default crossfold.lock if there is one")
        .FilePath();
  };
  const auto add = [&](const char* name, const char* description) -> Command& {
    return plugin.AddCommand(name, description);
  };
  Command& installs = add("install", "Install a plugin from a registry: install ID[@VERSION]");
  installs.AddOption("id", options.id, "Id of the plugin; a version after @ is pinned").Required();
  DeclareRegistry(installs, options.registry);
  add_lock(installs);
  Command& updates = add("update", "Install the newest versions of installed plugins");
  updates.AddOption("id", options.ids, "Ids of plugins; default all that are not pinned");
  DeclareRegistry(updates, options.registry);
  add_lock(updates);
  Command& removes = add("remove", "Remove an installed plugin, with its old versions");
  removes.AddOption("id", options.id, "Id of the plugin").Required();
  add_lock(removes);
  Command& rolls = add("rollback", "Use the version before the installed one again, and pin it");
  rolls.AddOption("id", options.id, "Id of the plugin").Required();
  add_lock(rolls);
  Command& lists = add("outdated", "List installed plugins that have a newer version");
  DeclareRegistry(lists, options.registry);
  lists.AddFlag("--json", options.json, "As JSON");
  Command& describes = add("info", "Show what registries offer of a plugin, and what is installed");
  describes.AddOption("id", options.id, "Id of the plugin").Required();
  DeclareRegistry(describes, options.registry);
  describes.AddFlag("--json", options.json, "As JSON");
  Command& packs = add("pack", "Check a plugin and write its package for a registry");
  packs.AddOption("file", options.submission,
                  "crossfold-plugin.json, or a plugin; default crossfold-plugin.json");
  packs.AddOption("-o,--output", options.output,
                  "Write to this file; default ID-VERSION-PLATFORM.zip");
  packs.AddFlag("--no-check", options.no_check, "Do not run plugin check");
  install = &installs;
  update = &updates;
  remove = &removes;
  rollback = &rolls;
  outdated = &lists;
  info = &describes;
  pack = &packs;
}

int InstallCommands::Impl::PrintOutdated() const {
  const Table table = UpdateTable(FindUpdates(Install()));
  if (options.json) {
    Print(ToJson(table) + (ToJson(table).ends_with('\n') ? "" : "\n"));
  } else if (table.rows.empty()) {
    Print("no installed plugin has a newer version\n");
  } else {
    Print(ToText(table));
  }
  return kOk;
}

int InstallCommands::Impl::Run() const {
  if (pack->was_given()) return PackPlugin(options);
  if (outdated->was_given()) return PrintOutdated();
  const InstallOptions with = Install();
  if (install->was_given()) {
    const auto [id, version] = SplitVersion(options.id, "install");
    PrintInstalled(InstallPlugin(id, version, with), with.lock);
  } else if (update->was_given()) {
    const std::vector<PluginChange> changes = UpdatePlugins(options.ids, with);
    if (changes.empty()) Print("no installed plugin has a newer version\n");
  } else if (remove->was_given()) {
    const PluginChange change = RemovePlugin(options.id, with);
    Print("removed " + change.id + " " +
          (change.before.empty() ? "(its files were left)" : change.before) + "\n");
  } else if (rollback->was_given()) {
    const PluginChange change = RollBackPlugin(options.id, with);
    Print("rolled back " + change.id + " from " + change.before + " to " + change.after +
          ", which is pinned now\n");
  } else if (info->was_given()) {
    const PluginInfo found = FindPluginInfo(options.id, with);
    if (options.json) {
      Print(JsonText(InfoJson(options.id, found), 2) + "\n");
    } else {
      PrintInfo(options.id, found);
    }
  }
  return kOk;
}

InstallCommands::InstallCommands(Command& plugin) : impl_(std::make_unique<Impl>(plugin)) {}

InstallCommands::~InstallCommands() = default;

bool InstallCommands::was_given() const {
  for (const Command* command : {impl_->install, impl_->update, impl_->remove, impl_->rollback,
                                 impl_->outdated, impl_->info, impl_->pack}) {
    if (command->was_given()) return true;
  }
  return false;
}

int InstallCommands::Run() const { return impl_->Run(); }

}  // namespace crossfold::cli
