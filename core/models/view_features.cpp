#include "models/view_features.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "engine/data/role_names.h"

namespace crossfold {

DataView WithFeatures(const DataView& view, std::span<const std::string> kept,
                      std::span<const Column> made) {
  const Dataset& data = *view.data;
  const std::unordered_set<std::string_view> names(kept.begin(), kept.end());
  std::vector<Column> columns;
  for (const Column& column : data.columns()) {
    if (names.contains(column.name) || IsRole(data.roles(), column.name)) columns.push_back(column);
  }
  std::vector<std::int64_t> place_of_row(static_cast<std::size_t>(data.num_rows()), -1);
  for (std::int64_t i = 0; i < view.num_rows(); ++i) {
    place_of_row[static_cast<std::size_t>(view.row_id(i))] = i;
  }
  for (const Column& column : made) {
    if (column.n_rows != view.num_rows()) {
      throw Error(ErrorKind::kInvalidArgument, "cannot make feature '" + column.name +
                                                   "': it has " + std::to_string(column.n_rows) +
                                                   " values for " +
                                                   std::to_string(view.num_rows()) + " rows");
    }
    columns.push_back(column.Selected(place_of_row));
  }
  return {Dataset::Rebuild(data, std::move(columns), data.roles()), view.rows};
}

}  // namespace crossfold
