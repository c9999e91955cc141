#include "programs/cli/trust_command.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/plugin_lock_file.h"
#include "programs/cli/command.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/search_log.h"

namespace crossfold::cli {
namespace {

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

}  // namespace

const Command& DeclareTrust(Command& plugin, TrustOptions& options) {
  Command& trust =
      plugin.AddCommand("trust", "Write plugins and their hashes into the lock for --locked");
  Option& paths = trust.AddOption("path", options.paths, "Plugins, or folders of plugins");
  trust.AddFlag("--installed", options.installed, "Trust all plugins that the search finds")
      .Excludes(paths);
  trust.AddOption("--lock", options.lock, "Lock file; default crossfold.lock");
  return trust;
}

int TrustPlugins(PluginHostOptions host_options, const TrustOptions& options) {
  if (!options.installed && options.paths.empty()) {
    std::fputs("crossfold: no plugin is named; name their files, or use --installed\n", stderr);
    return kUsage;
  }
  if (!options.installed) {
    SearchOnly({options.paths.begin(), options.paths.end()}, host_options);
  }
  SearchLog log;
  host_options.log = log.sink();
  host_options.lock.reset();
  host_options.hash_files = true;
  const PluginHost plugins(std::move(host_options));
  const std::vector<PluginEntry> entries = plugins.entries();
  CheckSearched(log.Beside(entries), !options.installed);
  std::vector<PluginEntry> trusted;
  for (const PluginEntry& entry : entries) {
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

}  // namespace crossfold::cli
