// The memory that reading a text needs, checked against a limit. Thread-safe.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "../reading/column_part.h"

namespace crossfold::reading {

class ReadingMemory {
 public:
  static constexpr std::int64_t kColumnBytes = 2048;  // about, of a column without entries

  explicit ReadingMemory(std::int64_t most_bytes) : most_bytes_(most_bytes) {}

  // Each throws Error if the limit is exceeded.
  void AddTable(std::size_t columns, std::size_t rows);
  // Adds the levels found in a part of the text.
  void AddLevels(std::span<ColumnPart* const> parts);

 private:
  void Add(double bytes);

  const std::int64_t most_bytes_;
  std::atomic<double> used_ = 0;  // bytes; numbers of rows times columns may be beyond integers
};

}  // namespace crossfold::reading
