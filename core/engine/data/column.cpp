#include <algorithm>
#include <limits>
#include <utility>

#include "crossfold/dataset.h"
#include "engine/data/column_entries.h"

namespace crossfold {
namespace {

template <class T>
struct OwnedBuffers {
  std::vector<T> entries;
  std::vector<std::uint8_t> validity;  // empty = all present
};

std::vector<std::uint8_t> ToBitmap(const std::vector<bool>& present) {
  if (std::find(present.begin(), present.end(), false) == present.end()) return {};
  std::vector<std::uint8_t> bitmap((present.size() + 7) / 8, 0);
  for (std::size_t row = 0; row < present.size(); ++row) {
    if (present[row]) bitmap[row >> 3] |= static_cast<std::uint8_t>(1U << (row & 7));
  }
  return bitmap;
}

template <class T>
Column Owning(std::string name, std::int32_t dtype, std::vector<T> entries,
              const std::vector<bool>& present) {
  assert(present.empty() || present.size() == entries.size());
  auto buffers = std::make_shared<OwnedBuffers<T>>();
  buffers->entries = std::move(entries);
  buffers->validity = ToBitmap(present);
  Column column;
  column.name = std::move(name);
  column.dtype = dtype;
  column.n_rows = static_cast<std::int64_t>(buffers->entries.size());
  column.data = buffers->entries.data();
  if (!buffers->validity.empty()) column.validity = buffers->validity.data();
  column.owner = std::move(buffers);
  return column;
}

}  // namespace

Column Column::Doubles(std::string name, std::vector<double> values) {
  return Owning(std::move(name), CF_F64, std::move(values), {});
}

Column Column::Floats(std::string name, std::vector<float> values) {
  return Owning(std::move(name), CF_F32, std::move(values), {});
}

Column Column::Integers(std::string name, std::vector<std::int64_t> values,
                        const std::vector<bool>& present) {
  return Owning(std::move(name), CF_I64, std::move(values), present);
}

Column Column::Integers32(std::string name, std::vector<std::int32_t> values,
                          const std::vector<bool>& present) {
  return Owning(std::move(name), CF_I32, std::move(values), present);
}

Column Column::Booleans(std::string name, const std::vector<bool>& values,
                        const std::vector<bool>& present) {
  return Owning(std::move(name), CF_BOOL8, std::vector<std::uint8_t>(values.begin(), values.end()),
                present);
}

Column Column::Categories(std::string name, std::vector<std::int32_t> codes,
                          std::vector<std::string> levels) {
  Column column = Owning(std::move(name), CF_CAT32, std::move(codes), {});
  column.levels = std::move(levels);
  return column;
}

Column Column::Selected(std::span<const std::int64_t> rows) const {
  std::vector<bool> present;
  if (validity != nullptr) {
    for (const std::int64_t row : rows) {
      present.push_back(row < 0 || IsValid(*this, static_cast<std::size_t>(row)));
    }
  }
  Column made = VisitEntries(*this, [&]<class T>(std::span<const T> entries) {
    std::vector<T> chosen;
    chosen.reserve(rows.size());
    for (const std::int64_t row : rows) {
      chosen.push_back(row < 0 ? T{} : entries[static_cast<std::size_t>(row)]);
    }
    return Owning(name, dtype, std::move(chosen), present);
  });
  made.levels = levels;
  made.ordered = ordered;
  return made;
}

bool Column::is_missing(std::int64_t row) const {
  assert(row >= 0 && row < n_rows);
  const auto i = static_cast<std::size_t>(row);
  if (!IsValid(*this, i)) return true;
  return VisitEntries(*this, [&](auto entries) { return MarksMissing(dtype, entries[i]); });
}

std::int64_t Column::CountMissing() const {
  if (validity == nullptr && (dtype == CF_I32 || dtype == CF_I64 || dtype == CF_BOOL8)) return 0;
  return VisitEntries(*this, [&](auto entries) {
    std::int64_t count = 0;
    if (validity == nullptr) {
      for (const auto entry : entries) count += MarksMissing(dtype, entry) ? 1 : 0;
      return count;
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (!IsValid(*this, i) || MarksMissing(dtype, entries[i])) ++count;
    }
    return count;
  });
}

}  // namespace crossfold
