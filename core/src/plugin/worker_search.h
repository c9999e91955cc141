// Where the program crossfold-worker is.
#pragma once

#include <filesystem>

namespace crossfold {

// `wanted` if it is not empty; else what CROSSFOLD_WORKER says (ignored for processes that have
// more rights than their user); else the one beside this program or library, or as installed.
// Throws Error(kIo) if there is none, with where was looked.
std::filesystem::path FindWorkerProgram(const std::filesystem::path& wanted);

}  // namespace crossfold
