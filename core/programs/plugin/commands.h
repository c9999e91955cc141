// What the commands that programs/cli/plugin_program.h declares do. All return an ExitCode, and
// throw Error.
#pragma once

#include <string>
#include <utility>

#include "crossfold/plugin_install.h"
#include "programs/cli/plugin_program.h"

namespace crossfold::cli {

// plugin check: prints every result as it comes, and the counts; kError if a check failed.
int CheckPlugins(CheckCommandOptions options);

// plugin new: writes the project and says what to type next.
int MakePluginProject(const NewCommandOptions& options);

// The command of that name about installed plugins, such as "update".
int RunInstall(const std::string& name, const InstallCommandOptions& options);

// The command of that name below registry, such as "init".
int RunRegistry(const std::string& name, const RegistryCommandOptions& options);

// ---- what commands of both kinds need ----

// ID or ID@VERSION; the version may be "". Throws Error "cannot <verb> plugin ..." if nothing
// follows the @.
std::pair<std::string, std::string> SplitVersion(const std::string& text, const std::string& verb);
// Throws Error if the key is not one.
InstallOptions ToInstallOptions(const RegistryOptions& options);

}  // namespace crossfold::cli
