// crossfold plugin list
#pragma once

#include <string>

#include "crossfold/plugin_host.h"

namespace crossfold::cli {

class Command;

struct ListOptions {
  std::string kind;  // "" = every
  bool verbose = false, json = false, rescan = false;
};

const Command& DeclareList(Command& plugin, ListOptions& options);
// Prints every component that the search found, and why files are disabled. Loads nothing. Returns
// an ExitCode.
int ListPlugins(PluginHostOptions host_options, const ListOptions& options);

}  // namespace crossfold::cli
