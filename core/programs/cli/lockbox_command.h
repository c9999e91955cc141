// crossfold lockbox open and show. They make a script, and "crossfold run" does the rest.
#pragma once

#include <string>

#include "crossfold/plugin_host.h"

namespace crossfold::cli {

class Command;
struct ScriptOptions;

struct LockboxOptions {
  std::string lockbox, model, reason, metric, key;  // paths, but for the reason and the metric
  const Command* open = nullptr;
};

// Declares the commands below `lockbox`, with the options of their own. Returns the two.
struct LockboxCommands {
  Command& open;
  Command& show;
};
LockboxCommands DeclareLockbox(Command& lockbox, LockboxOptions& options);

// Makes the script of `run`, which `open` shows on stderr unless `run.quiet`. Throws Error for
// wrong options.
void MakeLockboxScript(const LockboxOptions& options, const PluginHost& plugins,
                       ScriptOptions& run);

}  // namespace crossfold::cli
