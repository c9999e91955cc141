// The tables of an archive: what its store holds, as CSV files that anybody can read.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace crossfold {

inline constexpr std::array kTableFiles = {"splits.csv", "predictions.csv", "scores.csv"};

// Writes these files of run 1 of a canonical copy into a folder. `with_truth`: predictions have a
// column of true labels or values. Returns what is damaged and left out, by name. Throws Error.
std::vector<std::string> WriteRunTables(const std::filesystem::path& store,
                                        const std::filesystem::path& folder, bool with_truth);

}  // namespace crossfold
