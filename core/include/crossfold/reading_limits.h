// Limits of reading data.
#pragma once

#include <cstdint>
#include <limits>

#include "crossfold/cancel_token.h"

namespace crossfold {

// Limits of reading, for a host that has limits itself.
struct ReadingLimits {
  static constexpr std::int64_t kColumnBytes = 2048;  // about, of a column without entries
  const CancelToken* cancel = nullptr;                // checked every few rows; may be null
  std::int64_t memory =
      std::numeric_limits<std::int64_t>::max();  // bytes of columns in memory, approximately
  // Columns that are put together from several arrays and take more bytes than this are kept in
  // scratch files (TMPDIR, else /var/tmp) instead of memory. For a host that limits the disk, too,
  // it stays as it is.
  std::int64_t in_memory = std::numeric_limits<std::int64_t>::max();
};

}  // namespace crossfold
