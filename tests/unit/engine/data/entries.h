// The entries of a column as something to compare.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/data/column_entries.h"

namespace crossfold {

template <class T>
using Optionals = std::vector<std::optional<T>>;

// Nothing where missing. T must hold every entry of the column's type.
template <class T>
Optionals<T> Entries(const Column& column) {
  return VisitEntries(column, [&](auto entries) {
    Optionals<T> result;
    for (std::int64_t row = 0; row < column.n_rows; ++row) {
      result.push_back(column.is_missing(row) ? std::nullopt
                                              : std::optional<T>(static_cast<T>(
                                                    entries[static_cast<std::size_t>(row)])));
    }
    return result;
  });
}

// The level names of a categorical column's rows; "(missing)" where missing.
inline std::vector<std::string> LevelsOfRows(const Column& column) {
  std::vector<std::string> result;
  for (const auto& code : Entries<std::int32_t>(column)) {
    result.push_back(code ? column.levels[static_cast<std::size_t>(*code)] : "(missing)");
  }
  return result;
}

}  // namespace crossfold
