// Which plugins the program uses: what its options say.
#pragma once

#include <string>
#include <vector>

#include "crossfold/plugin_host.h"

namespace crossfold::cli {

class Command;

struct PluginOptions {
  std::vector<std::string> paths, only;
  std::string lock;  // path; "" = none
};

// --locked and --plugins-only, which may be given before a command or after "run".
void DeclarePluginChoice(Command& app, PluginOptions& options);

// Adds what was given before a command to what was given after it: folders and globs add up, those
// in front first. False: both name a lock, and not the same.
bool AddInFront(const PluginOptions& before, PluginOptions& behind);

// Plugins are tried in a process of their own, as far as ~/.cache/crossfold/scan.json does not know
// them. Throws Error if the lock cannot be read.
PluginHostOptions MakeHostOptions(const PluginOptions& options, bool quiet);

// Writes a warning or error of the host to stderr, the rest nowhere.
void LogToStderr(std::int32_t level, const std::string& message);

}  // namespace crossfold::cli
