// Finding the files that were installed with this code, and the programs that run our work in
// processes of their own.
#pragma once

#include <filesystem>
#include <string>

namespace crossfold {

// Returns the folder of the program or library that contains this code; "" if it is not known.
std::filesystem::path OwnFolder();

struct OwnProgram {
  std::string name;      // "crossfold-worker"
  std::string variable;  // environment variable with another path; ignored for processes that have
                         // more rights than their user; "" = none
  std::string purpose;   // "start a worker process": of the message
};
OwnProgram WorkerProgram();
OwnProgram CheckerProgram();
// crossfold-plugin, which runs commands such as "plugin check" (programs/cli/common_options.h).
OwnProgram PluginProgram(const std::string& purpose);

// Returns `wanted` if it is not empty; else the path in the variable; else the program next to this
// program or library, or the installed one. Throws Error(kIo) with the places that were searched if
// there is none.
std::filesystem::path FindProgram(const OwnProgram& program, const std::filesystem::path& wanted);

}  // namespace crossfold
