// crossfold plugin list and crossfold plugin describe ID.
#pragma once

#include <string>

#include "crossfold/plugin_host.h"

namespace crossfold::cli {

// Prints what the search found; rejected files with their reasons. Returns an ExitCode.
int ListPlugins(const PluginHost& plugins, bool verbose, bool json);

// Prints one component with its parameters. Throws Error for an unknown id.
int DescribeComponent(const PluginHost& plugins, const std::string& id, bool json);

}  // namespace crossfold::cli
