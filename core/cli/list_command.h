// crossfold plugin list
#pragma once

#include <string>

#include "crossfold/plugin_host.h"

namespace CLI {
class App;
}

namespace crossfold::cli {

struct ListOptions {
  std::string kind;  // "" = every
  bool verbose = false, json = false, rescan = false;
};

CLI::App* DeclareList(CLI::App& plugin, ListOptions& options);
// Prints every component that the search found, and why files are disabled. Loads nothing. Returns
// an ExitCode.
int ListPlugins(PluginHostOptions host_options, const ListOptions& options);

}  // namespace crossfold::cli
