// The memory of a learner that holds its training rows (crossfold.fit-memory/1).
#pragma once

#include <cstdint>

#include "crossfold_plugin/capability.h"

namespace crossfold::bundled {

// `per_entry` bytes for each feature of a row, `per_row` for each row, and what does not grow.
inline std::uint64_t BytesOfRows(const cf_shape& shape, std::uint64_t per_entry,
                                 std::uint64_t per_row) {
  constexpr std::uint64_t kFixed = 64 * 1024;
  return kFixed + static_cast<std::uint64_t>(shape.n_rows) *
                      (per_entry * static_cast<std::uint64_t>(shape.n_features) + per_row);
}

}  // namespace crossfold::bundled
