// Rows as numbers, for methods that take neither missing nor infinite entries.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "crossfold_plugin.hpp"

namespace crossfold::bundled {

// Row-major. Throws Error with the name of the first feature that has such an entry.
inline std::vector<double> FiniteRows(const plugin::FeatureView& rows) {
  std::vector<double> dense = rows.DenseRows();
  for (std::int64_t j = 0; j < rows.num_features(); ++j) {
    for (std::size_t k = static_cast<std::size_t>(j); k < dense.size();
         k += static_cast<std::size_t>(rows.num_features())) {
      if (std::isfinite(dense[k])) continue;
      throw plugin::Error(CF_E_UNSUPPORTED_DATA, "feature '" + std::string(rows.name(j)) +
                                                     "' has an infinite or missing entry");
    }
  }
  return dense;
}

}  // namespace crossfold::bundled
