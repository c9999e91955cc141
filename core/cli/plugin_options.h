// Which plugins the program uses: what its options say.
#pragma once

#include <string>
#include <vector>

#include "crossfold/plugin_host.h"

namespace CLI {
class App;
}

namespace crossfold::cli {

struct PluginOptions {
  std::vector<std::string> paths, only;
  std::string lock;  // path; "" = none
};

// --locked and --plugins-only, which may stand before a command or behind "run".
void DeclarePluginChoice(CLI::App& app, PluginOptions& options);

// Plugins are tried in a process of their own, as far as ~/.cache/crossfold/scan.json does not know
// them. Throws Error if the lock cannot be read.
PluginHostOptions MakeHostOptions(const PluginOptions& options, bool quiet);

// Writes a warning or error of the host to stderr, the rest nowhere.
void LogToStderr(std::int32_t level, const std::string& message);

}  // namespace crossfold::cli
