#include "programs/cli/commands.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "crossfold/component_text.h"
#include "crossfold/error.h"
#include "crossfold/plugin_json.h"
#include "crossfold/plugin_lock_file.h"
#include "crossfold/table.h"
#include "crossfold/whole_file.h"
#include "crossfold_plugin/folder.h"
#include "programs/cli/command.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/lua_annotations.h"
#include "programs/cli/standard_output.h"

namespace crossfold::cli {
namespace {

struct FoundPlugins {
  std::vector<PluginEntry> entries;
  // Those that are not about one of the entries: of folders that cannot be read, of environment
  // variables.
  std::vector<std::string> warnings;
  std::vector<std::filesystem::path> searched;
};

// Searches without loading. The log is collected.
FoundPlugins Search(PluginHostOptions host) {
  FoundPlugins found;
  host.log = [&found](std::int32_t level, const std::string& message) {
    if (level >= CF_LOG_WARN) found.warnings.push_back(message);
  };
  const PluginHost plugins(std::move(host));
  found.entries = plugins.entries();
  found.searched = plugins.search_path();
  std::erase_if(found.warnings, [&](const std::string& warning) {
    return std::ranges::any_of(found.entries, [&](const PluginEntry& file) {
      return warning == "cannot use plugin '" + file.path.string() + "': " + file.rejected;
    });
  });
  return found;
}

void PrintWarnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) {
    std::fprintf(stderr, "crossfold: %s\n", warning.c_str());
  }
}

// ---- list ----

// Null = every kind.
const Kind* KindOf(const std::string& name) {
  for (const Kind& kind : kKinds) {
    if (KindName(kind) == name) return &kind;
  }
  return nullptr;
}

bool IsUsable(const PluginEntry& entry, const std::string& id) {
  return entry.rejected.empty() &&
         std::none_of(entry.refused.begin(), entry.refused.end(),
                      [&](const RefusedComponent& refused) { return refused.id == id; });
}

std::vector<TableCell> Row(const PluginEntry& entry, const std::string& id, std::string kind,
                           bool verbose) {
  std::vector<TableCell> row = {std::string(ShortId(id)), std::move(kind), entry.version,
                                std::string(ShortId(entry.id)),
                                std::string(IsUsable(entry, id) ? "ready" : "disabled")};
  if (verbose) {
    row.emplace_back(entry.path.string());
    row.emplace_back(entry.sha256.substr(0, 12));
  }
  return row;
}

Table ComponentTable(const std::vector<PluginEntry>& entries, const PluginCommandOptions& options) {
  Table table;
  table.columns = {"id", "kind", "version", "plugin", "status"};
  if (options.verbose) table.columns.insert(table.columns.end(), {"file", "sha256"});
  for (const PluginEntry& entry : entries) {
    for (const Kind kind : kKinds) {
      if (!options.kind.empty() && KindName(kind) != options.kind) continue;
      for (const std::string& id : entry.ids[kind]) {
        table.rows.push_back(Row(entry, id, std::string(KindName(kind)), options.verbose));
      }
    }
  }
  return table;
}

void PrintDisabled(const std::vector<PluginEntry>& entries) {
  bool is_first = true;
  const auto print = [&](const std::string& subject, const std::string& reason) {
    if (is_first) std::puts("\ndisabled, because:");
    is_first = false;
    std::printf("  %s: %s\n", subject.c_str(), reason.c_str());
  };
  for (const PluginEntry& entry : entries) {
    if (!entry.rejected.empty()) {
      print(entry.path.string(), entry.rejected);
      continue;
    }
    for (const RefusedComponent& refused : entry.refused) {
      print(std::string(KindName(refused.kind)) + " " + refused.id, refused.reason);
    }
  }
}

int ListPlugins(const PluginCommandOptions& options, PluginHostOptions host) {
  const bool is_silent = !host.log;
  host.hash_files = options.verbose || options.json;
  host.scan.again = options.again;
  const FoundPlugins found = Search(std::move(host));
  if (!is_silent) PrintWarnings(found.warnings);
  if (options.json) {
    Print(ListJson(found.entries, KindOf(options.kind)));
    return kOk;
  }
  Print(ToText(ComponentTable(found.entries, options)));
  PrintDisabled(found.entries);
  if (options.verbose) {
    std::puts("\nsearched, in this order:");
    for (const auto& path : found.searched) std::printf("  %s\n", path.c_str());
  }
  return kOk;
}

// ---- describe ----

using Components = std::vector<std::shared_ptr<const Component>>;

void PrintPlugin(const LoadedPlugin& plugin) {
  std::printf("Plugin: %s %s", plugin.id.c_str(), plugin.version.c_str());
  for (const std::string* who : {&plugin.vendor, &plugin.license}) {
    if (!who->empty()) std::printf(", %s", who->c_str());
  }
  std::printf("\n%s: %s\nSHA-256: %s\n", plugin.runs_in_child ? "Folder" : "File",
              plugin.path.c_str(), plugin.sha256.c_str());
  if (!plugin.build_info.empty()) std::printf("Built by: %s\n", plugin.build_info.c_str());
}

void PrintWhole(const Components& components) {
  PrintPlugin(*components.front()->plugin);
  for (const auto& component : components) {
    std::putchar('\n');
    Print(ToText(*component));
  }
}

bool IsPath(const std::string& id) {
  std::error_code failure;  // an id may end like the name of a folder
  return id.find('/') != std::string::npos || id.ends_with(".crossfold.so") ||
         (id.ends_with(CF_FOLDER_SUFFIX) && std::filesystem::is_directory(id, failure));
}

// Whether a component has this name; else it may be a plugin.
bool HasComponent(const PluginHost& plugins, const std::string& id) {
  for (const PluginEntry& entry : plugins.entries()) {
    for (const std::string& known : entry.ids.all()) {
      if (known == id || ShortId(known) == id) return true;
    }
  }
  return false;
}

bool HasPlugin(const PluginHost& plugins, const std::string& id) {
  const std::vector<PluginEntry> entries = plugins.entries();
  return std::any_of(entries.begin(), entries.end(), [&](const PluginEntry& entry) {
    return !entry.id.empty() && (entry.id == id || ShortId(entry.id) == id);
  });
}

int Describe(const PluginCommandOptions& options, PluginHostOptions host) {
  const bool is_path = IsPath(options.id);
  // It comes first, as the user means this file and not another with the same component.
  if (is_path) host.paths.insert(host.paths.begin(), options.id);
  const PluginHost plugins(std::move(host));
  const bool is_plugin = is_path || options.whole_plugin ||
                         (!HasComponent(plugins, options.id) && HasPlugin(plugins, options.id));
  if (is_plugin) {
    const Components components = plugins.FindPlugin(options.id);
    if (components.empty()) {
      throw Error(ErrorKind::kBadPlugin,
                  "cannot describe plugin '" + options.id +
                      "': it has no component of a kind that this program knows");
    }
    if (options.json) {
      Print(DescriptionJson(components));
    } else {
      PrintWhole(components);
    }
    return kOk;
  }
  const auto component = plugins.FindAny(options.id);
  if (options.json) {
    Print(DescriptionJson(*component));
  } else {
    Print(ToText(*component));
    std::putchar('\n');
    PrintPlugin(*component->plugin);
  }
  return kOk;
}

// ---- trust ----

// A lock is text, so the name of a file in it is a line of text.
void CheckName(const PluginEntry& entry, const std::string& whose, const std::string& name) {
  const bool has_control = std::any_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
  if (!has_control) return;
  throw Error(ErrorKind::kInvalidArgument, "cannot trust plugin '" + entry.id + "': the name of " +
                                               whose + " has a control character; rename it");
}

LockedPlugin CheckedLocked(const PluginEntry& entry) {
  CheckName(entry, entry.is_folder ? "its folder" : "its file", entry.path.filename().string());
  for (const LockedLibrary& library : entry.libraries) {
    CheckName(entry, "its library", library.file);
  }
  return ToLocked(entry);
}

// Returns the text to print about it.
std::string Put(PluginLock& lock, const PluginEntry& entry) {
  const LockedPlugin plugin = CheckedLocked(entry);
  std::string report =
      plugin.id + " " + plugin.version + "  " + plugin.sha256 + "  " + entry.path.string() + "\n";
  for (const LockedLibrary& library : plugin.libraries) {
    report += "  with its library " + library.sha256 + "  " + library.file + "\n";
  }
  for (const LockedPlugin& replaced : Trust(lock, plugin)) {
    report += "  instead of " + replaced.version + "  " + replaced.sha256 + "\n";
  }
  return report;
}

// All named files must be usable; files that the search finds may be broken.
void CheckUsable(const PluginEntry& entry, bool was_named) {
  const std::string finding =
      "cannot trust plugin '" + entry.path.string() + "': " + entry.rejected;
  if (was_named) throw Error(ErrorKind::kBadPlugin, finding);
  std::fprintf(stderr, "crossfold: %s; it was left out\n", finding.c_str());
}

// Named folders must be readable, too.
void CheckSearched(const std::vector<std::string>& warnings, bool was_named) {
  if (was_named && !warnings.empty()) {
    throw Error(ErrorKind::kIo, warnings.front() + "; nothing was trusted: name what you may read");
  }
  PrintWarnings(warnings);
}

// Writes the plugins into the lock, with their SHA-256. Loads none; what has no manifest is run in
// a process of its own. After an error the lock is as it was.
int TrustPlugins(const PluginCommandOptions& options, PluginHostOptions host) {
  if (!options.installed && options.paths.empty()) {
    std::fputs("crossfold: no plugin is named; name their files, or use --installed\n", stderr);
    return kUsage;
  }
  if (!options.installed) SearchOnly({options.paths.begin(), options.paths.end()}, host);
  host.lock.reset();
  host.hash_files = true;
  const FoundPlugins found = Search(std::move(host));
  CheckSearched(found.warnings, !options.installed);
  std::vector<PluginEntry> trusted;
  for (const PluginEntry& entry : found.entries) {
    if (entry.rejected.empty()) {
      trusted.push_back(entry);
    } else {
      CheckUsable(entry, !options.installed);
    }
  }
  if (trusted.empty()) {
    throw Error(
        ErrorKind::kInvalidArgument,
        "cannot trust plugins: there is no file *.crossfold.so or folder *.crossfold in these "
        "places");
  }
  std::string report;  // once it is true, and once others may write the lock again
  const PluginLock lock = ChangePluginLock(options.lock, [&](PluginLock& changed) {
    for (const PluginEntry& entry : trusted) report += Put(changed, entry);
  });
  std::printf("%s%zu plugin%s written to %s, which has %zu\n", report.c_str(), trusted.size(),
              trusted.size() == 1 ? "" : "s", options.lock.c_str(), lock.plugins.size());
  return kOk;
}

// ---- scan ----

// Tries each of the files in a process of its own, unless the outcome is known.
int ScanPlugins(const PluginCommandOptions& options, PluginHostOptions host) {
  SearchOnly({options.paths.begin(), options.paths.end()}, host);
  host.scan.all = true;
  host.scan.again = options.again;
  const FoundPlugins found = Search(std::move(host));
  PrintWarnings(found.warnings);
  int code = found.warnings.empty() ? kOk : kError;
  for (const PluginEntry& entry : found.entries) {
    if (!entry.rejected.empty()) code = kError;
    const std::string outcome =
        entry.is_folder ? "needs no trial, as it runs in its own process" : "works";
    std::printf("%s: %s\n", entry.path.c_str(),
                entry.rejected.empty() ? (outcome + ", " + entry.id + " " + entry.version).c_str()
                                       : entry.rejected.c_str());
  }
  return code;
}

// ---- annotate ----

// What cannot be loaded is named on stderr.
Components AllComponents(const PluginHost& plugins) {
  Components components;
  for (const PluginEntry& entry : plugins.entries()) {
    if (!entry.rejected.empty()) continue;
    try {
      const auto found = plugins.FindPlugin(entry.path.string());
      components.insert(components.end(), found.begin(), found.end());
    } catch (const Error& error) {
      std::fprintf(stderr, "crossfold: %s\n", error.what());
    }
  }
  return components;
}

// Writes editor definitions of all components that can be loaded.
int Annotate(const PluginCommandOptions& options, PluginHostOptions host) {
  const PluginHost plugins(std::move(host));
  const std::string text = LuaAnnotations(AllComponents(plugins));
  if (options.output.empty()) {
    Print(text);
  } else {
    WriteWholeFile(options.output, text);
  }
  return kOk;
}

}  // namespace

void DeclarePluginCommands(Command& plugin, PluginCommandOptions& options) {
  Command& list =
      plugin.AddCommand("list", "List the components found, and why plugins are disabled");
  list.AddOption("--kind", options.kind, "List only components of this kind")
      .OneOf({"learner", "transform", "splitter", "metric", "source"});
  list.AddFlag("--verbose", options.verbose, "Also print files, hashes and the folders searched");
  list.AddFlag("--json", options.json, "Print everything as JSON");
  list.AddFlag("--rescan", options.again, "Try plugins that crashed again");
  Command& describe = plugin.AddCommand("describe", "Describe a component or plugin");
  describe
      .AddOption("id", options.id,
                 "Id, such as knn or org.example.ridge, of a component or a plugin, or a path")
      .Required();
  describe.AddFlag("--plugin", options.whole_plugin, "Describe the whole plugin with that id");
  describe.AddFlag("--json", options.json, "As JSON");
  Command& trust =
      plugin.AddCommand("trust", "Write plugins and their hashes into the lock for --locked");
  Option& paths = trust.AddOption("path", options.paths, "Plugins, or folders of plugins");
  trust.AddFlag("--installed", options.installed, "Trust all plugins that the search finds")
      .Excludes(paths);
  trust.AddOption("--lock", options.lock, "Lock file; default crossfold.lock");
  Command& scan =
      plugin.AddCommand("scan", "Load plugins in separate processes, and report the outcome");
  scan.AddOption("path", options.paths, "Plugins, or folders of plugins").Required();
  scan.AddFlag("--again", options.again, "Also load plugins whose outcome is known");
  Command& annotate = plugin.AddCommand(
      "annotate", "Write definitions of the plugins found, for the Lua language server");
  annotate.AddOption("-o,--output", options.output, "Write to this file");
}

int RunPluginCommand(const std::string& name, const PluginCommandOptions& options,
                     PluginHostOptions host) {
  if (name == "list") return ListPlugins(options, std::move(host));
  if (name == "describe") return Describe(options, std::move(host));
  if (name == "trust") return TrustPlugins(options, std::move(host));
  return name == "scan" ? ScanPlugins(options, std::move(host))
                        : Annotate(options, std::move(host));
}

}  // namespace crossfold::cli
