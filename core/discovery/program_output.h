// What one of our programs prints, for callers that use it as a function.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "crossfold/cancel_token.h"

namespace crossfold {

// Runs the program with these arguments (without its name) to its end, with no input, and returns
// what it printed to standard output and error. After a cancellation, which may be null, it gets
// SIGTERM and a second to end. Throws Error(kIo) if it cannot be started, or ended by a signal.
std::string OutputOf(const std::filesystem::path& program,
                     const std::vector<std::string>& arguments,
                     const CancelToken* cancel = nullptr);

}  // namespace crossfold
