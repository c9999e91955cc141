// Exports a run as one file that others can read and verify.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace crossfold {

struct ExportOptions {
  std::int64_t run = 0;       // its number; 0 = the last one with outer cells
  bool without_data = false;  // leaves the datasets out, so that nothing can be computed again
};

// Writes a zip archive: manifest.json (version, seed, arguments, plugins, datasets), script.lua,
// splits.csv, predictions.csv, scores.csv, and store.cfdb, a canonical copy of the run's part of
// the store. Runs with the same content give the same bytes. Returns what is damaged and left out,
// by name; the manifest has these names, too. Throws Error.
std::vector<std::string> ExportRun(const std::filesystem::path& store,
                                   const std::filesystem::path& archive,
                                   const ExportOptions& options);

// Writes a store that has one run and what belongs to it: rows in the order of their keys, new ids,
// no seconds, no paths of plugins and of the script, and no start time. So it has the same bytes
// whatever the order and the number of attempts in which the run was computed. Replaces a file that
// was there. Returns what is damaged and left out, by name. Throws Error.
std::vector<std::string> WriteCanonicalCopy(const std::filesystem::path& store,
                                            const std::filesystem::path& copy,
                                            const ExportOptions& options = {});

}  // namespace crossfold
