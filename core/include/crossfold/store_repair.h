// Saves what is undamaged in a damaged store.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace crossfold {

struct RepairReport {
  struct Learner {
    std::string learner;               // Pipeline::ToString(); "" = unknown
    std::int64_t saved = 0, lost = 0;  // cells; lost = asked for by a run and not there
  };
  std::vector<Learner> learners;  // by name
  std::int64_t saved = 0, lost = 0;
  std::vector<std::string> damaged;  // names of damaged rows of all tables, which are left out
};

// Copies row by row what can be read and has its checksum into a new store; `from` stays as it is.
// A run that lost rows counts as unfinished in the new store. Throws Error if `from` is not a store
// or if `to` exists.
RepairReport RepairStore(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace crossfold
