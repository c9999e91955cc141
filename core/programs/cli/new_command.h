// crossfold plugin new. crossfold-plugin runs it (programs/plugin/make_project.h).
#pragma once

#include <string>

namespace crossfold::cli {

class Command;

struct NewCommandOptions {
  std::string name, id, output, kind;
  std::string language = "cpp", vendor = "Example Org", license = "MIT";
};

// Declares it below "plugin". `options` must live until the line is parsed.
const Command& DeclareNew(Command& plugin, NewCommandOptions& options);

}  // namespace crossfold::cli
