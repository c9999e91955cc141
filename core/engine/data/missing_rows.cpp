#include "engine/data/missing_rows.h"

#include <algorithm>

namespace crossfold {

std::vector<std::int64_t> CompleteRows(std::span<const Column> columns,
                                       std::span<const std::string> named) {
  std::vector<const Column*> incomplete;
  for (const Column& column : columns) {
    const bool is_named = std::find(named.begin(), named.end(), column.name) != named.end();
    if (is_named && column.CountMissing() > 0) incomplete.push_back(&column);
  }
  std::vector<std::int64_t> rows;
  for (std::int64_t row = 0; row < columns[0].n_rows; ++row) {
    const bool lacks = std::any_of(incomplete.begin(), incomplete.end(),
                                   [row](const Column* column) { return column->is_missing(row); });
    if (!lacks) rows.push_back(row);
  }
  return rows;
}

}  // namespace crossfold
