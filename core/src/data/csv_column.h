// From the cells of one CSV column to a typed column.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/csv.h"
#include "data/csv_records.h"

namespace crossfold {

// Which cells mean "missing".
class MissingMarkers {
 public:
  explicit MissingMarkers(const std::vector<std::string>& markers) : markers_(markers) {}

  bool Matches(const CsvCell& cell) const {
    if (cell.quoted) return false;
    for (const std::string& marker : markers_) {
      if (cell.raw() == marker) return true;
    }
    return false;
  }

 private:
  const std::vector<std::string>& markers_;
};

// `declared` are the first levels of a categorical column, distinct; the others are sorted and come
// behind them. REQUIRES: type is not kIgnore. Throws Error(kBadData) at the first cell that does
// not fit `type`.
Column MakeColumn(const CsvSource& source, const CsvRecords& records, std::size_t column,
                  ColumnType type, std::span<const std::string> declared,
                  const MissingMarkers& missing);

}  // namespace crossfold
