// crossfold plugin describe ID
#pragma once

#include <string>

#include "crossfold/plugin_host.h"

namespace crossfold::cli {

class Command;

struct DescribeOptions {
  std::string id;  // of a component or a plugin, or the path of a file
  bool whole_plugin = false, json = false;
};

const Command& DeclareDescribe(Command& plugin, DescribeOptions& options);
// Loads the plugin and prints everything that it declares. Returns an ExitCode; throws Error for an
// unknown id.
int Describe(PluginHostOptions host_options, const DescribeOptions& options);

}  // namespace crossfold::cli
