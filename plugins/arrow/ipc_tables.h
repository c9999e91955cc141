// The tables of Arrow IPC (arrow_ipc.fbs) as flatc makes them.
#pragma once

#include <arrow_ipc_generated.h>  // IWYU pragma: export

#include <cstddef>
#include <cstring>

namespace crossfold::reading {

// Entry `i` of a vector of structs or numbers: the verifier does not look at where they are
// aligned. REQUIRES: i < vector.size().
template <class Entry, class Vector>
Entry EntryOf(const Vector& vector, std::size_t i) {
  Entry entry;
  std::memcpy(&entry, vector.Data() + i * sizeof entry, sizeof entry);
  return entry;
}

}  // namespace crossfold::reading
