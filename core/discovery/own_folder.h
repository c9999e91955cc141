// Where this code itself lies on the disk: what was installed with it is found from there.
#pragma once

#include <filesystem>

namespace crossfold {

// The folder of the program or library that contains this code; "" if it cannot be told.
std::filesystem::path OwnFolder();

}  // namespace crossfold
