// What crossfold gc, repair, merge, verify and export do.
#pragma once

#include <string>

#include "crossfold/plugin_host.h"
#include "programs/cli/store_commands.h"

namespace crossfold::cli {

// Runs the command of that name. `line` is the command line, which is printed when it is
// interrupted. Returns an ExitCode; throws Error.
int KeepStore(const std::string& name, const StoreCommandOptions& options,
              const PluginHost& plugins, const std::string& line);

}  // namespace crossfold::cli
