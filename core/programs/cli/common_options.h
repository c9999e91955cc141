// What crossfold and the programs beside it have in common: the options before a command, which
// plugins they choose, and the end of the process.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "crossfold/plugin_host.h"

namespace crossfold::cli {

class Command;

struct PluginOptions {
  std::vector<std::string> paths, only;
  std::string lock;  // path; "" = none
};

struct CommonOptions {
  PluginOptions plugins_before, plugins;  // before the command, and after it
  bool quiet = false;
};

void DeclarePluginPath(Command& command, PluginOptions& options);
// --locked and --plugins-only, which may be given before a command or after "run".
void DeclarePluginChoice(Command& app, PluginOptions& options);
// The options that may be given before a command.
void DeclareCommon(Command& app, CommonOptions& options);
// Puts what was given before the command to what was given after it: folders and globs add up,
// those before it first. False: the two name different locks, which was said on stderr.
bool JoinPluginOptions(CommonOptions& options);

// Plugins are tried in a process of their own, as far as ~/.cache/crossfold/scan.json does not know
// them. Throws Error if the lock cannot be read.
PluginHostOptions MakeHostOptions(const PluginOptions& options, bool quiet);

// Returns what `run` returns, an ExitCode, with the program's signals and its messages about what
// `run` throws. A result that could not be written whole is an error.
int RunGuarded(int argc, char** argv, const std::function<int()>& run);

}  // namespace crossfold::cli
