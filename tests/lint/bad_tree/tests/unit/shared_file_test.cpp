// Two cases that write the same file.
#include <filesystem>
#include <string>

#include "gtest/gtest.h"

const std::string kPath = testing::TempDir() + "name";
const auto kFolder = std::filesystem::temp_directory_path();
