// What crossfold registry does.
#pragma once

#include <string>

#include "programs/cli/registry_command.h"

namespace crossfold::cli {

// Runs the command of that name, such as "init". Returns an ExitCode; throws Error.
int RunRegistry(const std::string& name, const RegistryCommandOptions& options);

}  // namespace crossfold::cli
