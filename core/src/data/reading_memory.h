// The memory that reading a text needs, checked against a limit. Thread-safe.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "crossfold/csv.h"
#include "data/column_part.h"
#include "data/csv_records.h"

namespace crossfold {

class ReadingMemory {
 public:
  // Both must outlive this.
  ReadingMemory(const CsvSource& source, const ReadingLimits& limits)
      : source_(source), limits_(limits) {}

  // Each throws Error(kBadData) if the limit is exceeded.
  void AddTable(std::size_t columns, std::size_t rows);
  // The levels found in a part of the text.
  void AddLevels(std::span<ColumnPart* const> parts);

 private:
  void Add(double bytes);

  const CsvSource& source_;
  const ReadingLimits& limits_;
  std::atomic<double> used_ = 0;  // bytes; numbers of rows times columns may be beyond integers
};

}  // namespace crossfold
