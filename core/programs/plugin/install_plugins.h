// What crossfold plugin install, update, remove, rollback, outdated, info and pack do.
#pragma once

#include <string>
#include <utility>

#include "crossfold/plugin_install.h"
#include "programs/cli/install_command.h"

namespace crossfold::cli {

// ID or ID@VERSION; the version may be "". Throws Error "cannot <verb> plugin ..." if nothing
// follows the @.
std::pair<std::string, std::string> SplitVersion(const std::string& text, const std::string& verb);
// Throws Error if the key is not one.
InstallOptions ToInstallOptions(const RegistryOptions& options);

// Runs the command of that name, such as "update". Returns an ExitCode; throws Error.
int RunInstall(const std::string& name, const InstallCommandOptions& options);

}  // namespace crossfold::cli
