#include "programs/cli/new_command.h"

#include "programs/cli/beside_program.h"
#include "programs/cli/command.h"

namespace crossfold::cli {

const Command& DeclareNew(Command& plugin, NewCommandOptions& options) {
  Command& command = plugin.AddCommand("new", "Make the project of a new plugin, with tests");
  command.SetProgram(kPluginProgram);
  command.AddOption("name", options.name, "Name of the method, as in 'k nearest'").Required();
  command.AddOption("--kind", options.kind, "learner, transform, splitter or metric")
      .Required()
      .OneOf({"learner", "transform", "splitter", "metric"});
  command
      .AddOption("--lang", options.language,
                 "c++ (default), c, lua, or for learners python, r or rust")
      .Replace({{"c++", "cpp"}, {"cxx", "cpp"}, {"R", "r"}})
      .OneOf({"c++", "cpp", "c", "python", "r", "rust", "lua"});
  command.AddOption("--id", options.id, "Full id; default org.example. and the name");
  command.AddOption("--vendor", options.vendor, "Vendor of the plugin").ShowDefault();
  command.AddOption("--license", options.license, "SPDX expression").ShowDefault();
  command.AddOption("--output", options.output, "Folder to make; default the name");
  return command;
}

}  // namespace crossfold::cli
