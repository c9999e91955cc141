// The place of this code on the disk, from which the files that were installed with it are found.
#pragma once

#include <filesystem>

namespace crossfold {

// Returns the folder of the program or library that contains this code; "" if it is not known.
std::filesystem::path OwnFolder();

}  // namespace crossfold
