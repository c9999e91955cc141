// crossfold plugin scan PATH...
#pragma once

#include <string>
#include <vector>

#include "crossfold/plugin_host.h"

namespace crossfold::cli {

class Command;

struct ScanCommandOptions {
  std::vector<std::string> paths;
  bool again = false;
};

const Command& DeclareScan(Command& plugin, ScanCommandOptions& options);
// Tries each of the files in a process of its own, unless the outcome is known, and prints it.
// Returns kOk if all of them work, else kError.
int ScanPlugins(PluginHostOptions host_options, const ScanCommandOptions& options);

}  // namespace crossfold::cli
