// Names of datasets.
#pragma once

#include <filesystem>
#include <string>

namespace crossfold {

// Returns the name of the data in a file, which is the file name without folder, ending and ".gz".
std::string DatasetNameOf(const std::filesystem::path& path);

}  // namespace crossfold
