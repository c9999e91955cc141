// What crossfold plugin check does.
#pragma once

#include "programs/cli/check_command.h"

namespace crossfold::cli {

// Prints every result as it comes, and the counts. Returns an ExitCode: kError if a check failed.
// Throws Error.
int CheckPlugins(CheckCommandOptions options);

}  // namespace crossfold::cli
