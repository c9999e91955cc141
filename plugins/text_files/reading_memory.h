// The memory that reading a text needs, checked against a limit. Thread-safe.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "../reading/column_part.h"
#include "../reading/refusal.h"

namespace crossfold::reading {

class ReadingMemory {
 public:
  static constexpr std::int64_t kColumnBytes = 2048;  // about, of a column without entries

  explicit ReadingMemory(std::int64_t most_bytes) : most_bytes_(most_bytes) {}

  // Each throws Error if the limit is exceeded.
  void AddTable(std::size_t columns, std::size_t rows) {
    Add(static_cast<double>(columns) *
        (static_cast<double>(kColumnBytes) + kEntryBytes * static_cast<double>(rows)));
  }
  // Adds the levels found in a part of the text.
  void AddLevels(std::span<ColumnPart* const> parts) {
    double bytes = 0;
    for (const ColumnPart* part : parts) bytes += static_cast<double>(part->levels().bytes());
    Add(bytes);
  }

 private:
  static constexpr double kEntryBytes = 8;

  void Add(double bytes) {
    if (used_.fetch_add(bytes) + bytes <= static_cast<double>(most_bytes_)) return;
    RefuseContent("its columns take more than the " + std::to_string(most_bytes_) +
                  " bytes of memory that are left for them; read fewer columns or rows, or give it "
                  "more memory");
  }

  const std::int64_t most_bytes_;
  std::atomic<double> used_ = 0;  // bytes; numbers of rows times columns may be beyond integers
};

}  // namespace crossfold::reading
