// Collecting the entries of some rows, in the order of the rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace crossfold {

// Sets `storage[i] = entries[rows[i]]` and returns its address. Without `rows` (null) it copies
// nothing and returns the entries themselves. Returns null if there are no entries.
template <class T>
const T* Gather(std::span<const T> entries, const std::int64_t* rows, std::int64_t n_rows,
                std::vector<T>& storage) {
  if (entries.empty()) return nullptr;
  if (rows == nullptr) return entries.data();
  storage.resize(static_cast<std::size_t>(n_rows));
  for (std::size_t i = 0; i < storage.size(); ++i) {
    storage[i] = entries[static_cast<std::size_t>(rows[i])];
  }
  return storage.data();
}

}  // namespace crossfold
