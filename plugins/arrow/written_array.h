// An Arrow array as the buffers of the IPC format, the same bytes for the same entries.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold_plugin/arrow.h"
#include "entry_type.h"

namespace crossfold::reading {

struct WrittenArray {
  std::int64_t n_rows = 0, n_nulls = 0;
  // In the order of the format; the first one, the bitmap, is empty if no entry is null. They are
  // in the array, or in `copies` if it begins inside a byte or has nulls, whose entries become 0.
  std::vector<std::string_view> buffers = {};
  std::vector<std::string> copies = {};
};

// Entries `first` to `first` + `n_rows` of the array, counted from its offset. The array outlives
// the result. Throws Error if it does not have the buffers of its type.
WrittenArray ToWritten(const ArrowArray& array, const EntryType& type, std::int64_t first,
                       std::int64_t n_rows);

}  // namespace crossfold::reading
