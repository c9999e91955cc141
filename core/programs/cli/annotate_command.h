// crossfold plugin annotate
#pragma once

#include <string>

#include "crossfold/plugin_host.h"

namespace crossfold::cli {

class Command;

struct AnnotateOptions {
  std::string output;  // path; "" = standard output
};

const Command& DeclareAnnotate(Command& plugin, AnnotateOptions& options);
// Writes editor definitions of all components that can be loaded. Returns an ExitCode; throws
// Error.
int Annotate(PluginHostOptions host_options, const AnnotateOptions& options);

}  // namespace crossfold::cli
