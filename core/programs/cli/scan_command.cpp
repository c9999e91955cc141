#include "programs/cli/scan_command.h"

#include <cstdio>
#include <utility>

#include "programs/cli/command.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/search_log.h"

namespace crossfold::cli {

const Command& DeclareScan(Command& plugin, ScanCommandOptions& options) {
  Command& scan =
      plugin.AddCommand("scan", "Load plugins in separate processes, and report the outcome");
  scan.AddOption("path", options.paths, "Plugins, or folders of plugins").Required();
  scan.AddFlag("--again", options.again, "Also load plugins whose outcome is known");
  return scan;
}

int ScanPlugins(PluginHostOptions host_options, const ScanCommandOptions& options) {
  SearchOnly({options.paths.begin(), options.paths.end()}, host_options);
  SearchLog log;
  host_options.log = log.sink();
  host_options.scan.all = true;
  host_options.scan.again = options.again;
  const PluginHost plugins(std::move(host_options));
  const std::vector<PluginEntry> entries = plugins.entries();
  const std::vector<std::string> warnings = log.Beside(entries);
  PrintWarnings(warnings);
  int code = warnings.empty() ? kOk : kError;
  for (const PluginEntry& entry : entries) {
    if (!entry.rejected.empty()) code = kError;
    const std::string outcome =
        entry.is_folder ? "needs no trial, as it runs in its own process" : "works";
    std::printf("%s: %s\n", entry.path.c_str(),
                entry.rejected.empty() ? (outcome + ", " + entry.id + " " + entry.version).c_str()
                                       : entry.rejected.c_str());
  }
  return code;
}

}  // namespace crossfold::cli
