// crossfold plugin trust PATH...
#pragma once

#include <string>
#include <vector>

#include "crossfold/plugin_host.h"

namespace crossfold::cli {

class Command;

struct TrustOptions {
  std::vector<std::string> paths;
  std::string lock = kLockName;
  bool installed = false;  // every plugin that the search finds
};

const Command& DeclareTrust(Command& plugin, TrustOptions& options);
// Writes the plugins into the lock, with their SHA-256. Loads none; what has no manifest is run in
// a process of its own. Returns an ExitCode; throws Error, and then the lock is as it was.
int TrustPlugins(PluginHostOptions host_options, const TrustOptions& options);

}  // namespace crossfold::cli
