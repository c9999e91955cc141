// The program as a function: reads the command line and calls one command.
#pragma once

#include <functional>
#include <string>

#include "crossfold/retry.h"

namespace crossfold::cli {

// The parts that a program other than crossfold replaces.
struct ProgramHost {
  std::string name = "crossfold";
  // As LuaOptions::executor. A program with another name only has the command "run".
  LimitedEngine executor;
};

// Returns an ExitCode; errors are reported on stderr.
int RunProgram(int argc, char** argv, const ProgramHost& host);

}  // namespace crossfold::cli
