#include "models/view_features.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "engine/data/role_names.h"

namespace crossfold {

DataView WithFeatures(const DataView& view, std::span<const std::string> kept,
                      std::span<const Column> made) {
  const Dataset& data = *view.data;
  std::vector<Column> columns;
  for (const Column& column : data.columns()) {
    const bool is_kept = std::find(kept.begin(), kept.end(), column.name) != kept.end();
    if (is_kept || IsRole(data.roles(), column.name)) columns.push_back(column);
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
