// The dictionaries of categories.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "ipc_batch.h"

namespace crossfold::reading {

struct IpcDictionary {
  std::vector<std::string> levels;                        // distinct
  std::unordered_map<std::string, std::int32_t> code_of;  // of each level
  std::vector<std::int32_t> code_of_entry;                // -1 = null

  // Whether indices are codes: no entry is null, and none occurs twice.
  bool has_codes_as_indices() const { return levels.size() == code_of_entry.size(); }

  // Adds entries after those that are there. REQUIRES: strings. Throws Error.
  void Append(const IpcArray& texts, const EntryType& type, const std::string& column);
};

// Returns the codes of the levels for indices of that type; -1 = missing. Throws Error for an index
// that the dictionary lacks.
std::vector<std::int32_t> CodesOf(const IpcArray& indices, const EntryType& type,
                                  const IpcDictionary& dictionary, const std::string& column);

// Throws Error as CodesOf does. REQUIRES: the indices have 32 bits and are codes.
void CheckCodes(const IpcArray& indices, const IpcDictionary& dictionary,
                const std::string& column);

}  // namespace crossfold::reading
