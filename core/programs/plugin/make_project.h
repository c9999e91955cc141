// What crossfold plugin new does.
#pragma once

#include "programs/cli/new_command.h"

namespace crossfold::cli {

// Writes the project and says what to type next. Returns an ExitCode; throws Error.
int MakePluginProject(const NewCommandOptions& options);

}  // namespace crossfold::cli
