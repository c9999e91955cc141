// Where the programs are that run work of ours in processes of their own.
#pragma once

#include <filesystem>
#include <string>

namespace crossfold {

struct OwnProgram {
  std::string name;      // "crossfold-worker"
  std::string variable;  // of the environment, with another path; ignored for processes that have
                         // more rights than their user
  std::string purpose;   // "start a worker process": of the message
};
OwnProgram WorkerProgram();
OwnProgram CheckerProgram();

// `wanted` if it is not empty; else what the variable says; else the one beside this program or
// library, or as installed. Throws Error(kIo) if there is none, with where was looked.
std::filesystem::path FindProgram(const OwnProgram& program, const std::filesystem::path& wanted);

}  // namespace crossfold
