// What crossfold and the programs beside it have in common: the options before a command, and the
// end of the process.
#pragma once

#include <functional>
#include <string>

#include "programs/cli/plugin_options.h"

namespace crossfold::cli {

class Command;

struct CommonOptions {
  PluginOptions plugins_before, plugins;  // before the command, and after it
  bool quiet = false;
};

void DeclarePluginPath(Command& command, PluginOptions& options);
// The options that may be given before a command.
void DeclareCommon(Command& app, CommonOptions& options);
// Puts what was given before the command to what was given after it. False: both name a lock, which
// was said on stderr.
bool JoinPluginOptions(CommonOptions& options);

// Returns what `run` returns, an ExitCode, with the program's signals and its messages about what
// `run` throws. A result that could not be written whole is an error.
int RunGuarded(int argc, char** argv, const std::function<int()>& run);

}  // namespace crossfold::cli
