#include "reading_memory.h"

#include <string>

#include "../reading/refusal.h"

namespace crossfold::reading {
namespace {

constexpr double kEntryBytes = 8;

}  // namespace

void ReadingMemory::AddTable(std::size_t columns, std::size_t rows) {
  Add(static_cast<double>(columns) *
      (static_cast<double>(kColumnBytes) + kEntryBytes * static_cast<double>(rows)));
}

void ReadingMemory::AddLevels(std::span<ColumnPart* const> parts) {
  double bytes = 0;
  for (const ColumnPart* part : parts) bytes += static_cast<double>(part->levels().bytes());
  Add(bytes);
}

void ReadingMemory::Add(double bytes) {
  if (used_.fetch_add(bytes) + bytes <= static_cast<double>(most_bytes_)) return;
  RefuseContent("its columns take more than the " + std::to_string(most_bytes_) +
                " bytes of memory that are left for them; read fewer columns or rows, or give it "
                "more memory");
}

}  // namespace crossfold::reading
