// Entries of some rows of a view, column by column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "crossfold_plugin.hpp"

namespace crossfold::bundled {

// Reads column j of the rows first, first + 1 ... of the view. A category gives its code, a missing
// entry NaN.
inline void ReadEntries(const plugin::FeatureView& rows, std::int64_t j, std::int64_t first,
                        std::span<double> out) {
  const cf_column& column = rows.column(j);
  const auto entry = [&](std::size_t i) {
    return rows.entry(first + static_cast<std::int64_t>(i));
  };
  if (column.dtype == CF_F64 && column.validity == nullptr) {
    const auto* from = static_cast<const double*>(column.data);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = from[entry(i)];
  } else {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = plugin::EntryAsDouble(column, entry(i));
  }
}

}  // namespace crossfold::bundled
