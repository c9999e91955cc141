// crossfold repl: a prompt for Lua with the library at hand.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "crossfold/plugin_host.h"
#include "programs/cli/script_command.h"

namespace crossfold::cli {

class Command;

struct ReplOptions {
  std::vector<std::string> files;  // run before the first prompt
  bool no_history = false;
};

// Declares its options in addition to those of "run".
void DeclareRepl(Command& repl, ReplOptions& options);

// Reads standard input to its end: on a terminal with a prompt, else line by line and without one.
// `script` holds the options of "run". Returns an ExitCode: kOk whatever the lines do.
int RunRepl(const ReplOptions& options, const ScriptOptions& script,
            std::shared_ptr<PluginHost> plugins);

}  // namespace crossfold::cli
