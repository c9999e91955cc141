// What crossfold status, rescore and diff do.
#pragma once

#include <string>

#include "crossfold/plugin_host.h"
#include "programs/cli/store_commands.h"

namespace crossfold::cli {

// Runs the command of that name. Returns an ExitCode; throws Error.
int ShowStore(const std::string& name, const StoreCommandOptions& options,
              const PluginHost& plugins);

}  // namespace crossfold::cli
