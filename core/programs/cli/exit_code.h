// The exit codes of the program.
#pragma once

namespace crossfold::cli {

enum ExitCode {
  kOk = 0,
  kError = 1,        // script or configuration error
  kUsage = 2,        // the command line is wrong
  kFailedCells = 3,  // finished, but some cells failed
  kDifferences = 3,  // verify and diff: finished, and something differs
  kInterrupted = 130
};

}  // namespace crossfold::cli
