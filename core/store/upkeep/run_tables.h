// The tables of an archive: the content of its store as CSV files.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace crossfold {

inline constexpr std::array kTableFiles = {"splits.csv", "predictions.csv", "scores.csv"};

// Writes these files of run 1 of a canonical copy into a folder. `with_truth`: predictions have a
// column of true labels or values. Returns the names of damaged rows, which are left out. Throws
// Error.
std::vector<std::string> WriteRunTables(const std::filesystem::path& store,
                                        const std::filesystem::path& folder, bool with_truth);

}  // namespace crossfold
