// A few rows that a model could be asked about.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "crossfold/dataset.h"

namespace crossfold::fuzz {

// Four entries of the declared type; one is missing if `has_gaps`.
inline Column EntriesOf(const ColumnDeclaration& declared, bool has_gaps) {
  const std::vector<bool> present = {true, true, !has_gaps, true};
  switch (declared.dtype) {
    case CF_F32:
      return Column::Floats(declared.name, {0, 1, -2.5F, 1e30F});
    case CF_I32:
      return Column::Integers32(declared.name, {0, 1, -3, 70000}, present);
    case CF_I64:
      return Column::Integers(declared.name, {0, 1, -3, std::int64_t{1} << 40}, present);
    case CF_BOOL8:
      return Column::Booleans(declared.name, {false, true, false, true}, present);
    case CF_CAT32: {
      const auto last = static_cast<std::int32_t>(declared.levels.size()) - 1;
      Column column =
          Column::Categories(declared.name, {last, last < 0 ? -1 : 0, -1, last}, declared.levels);
      column.ordered = declared.ordered;
      return column;
    }
    default:
      return Column::Doubles(
          declared.name, {0, 1.5, has_gaps ? std::numeric_limits<double>::quiet_NaN() : -2, 1e300});
  }
}

// Throws Error if no dataset can have such columns.
inline std::shared_ptr<const Dataset> RowsFor(std::span<const ColumnDeclaration> features,
                                              bool has_gaps) {
  std::vector<Column> columns;
  for (const ColumnDeclaration& feature : features) {
    columns.push_back(EntriesOf(feature, has_gaps));
  }
  return Dataset::Create("rows", std::move(columns), {});
}

}  // namespace crossfold::fuzz
