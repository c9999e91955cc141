// What a dataset is called.
#pragma once

#include <filesystem>
#include <string>

namespace crossfold {

// The name of the data in a file: its own without folder, ending and ".gz".
std::string DatasetNameOf(const std::filesystem::path& path);

}  // namespace crossfold
