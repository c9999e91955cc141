// Code shared by the transforms that change every numeric column by itself and pass the others.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold_plugin.hpp"
#include "feature_text.h"
#include "feature_values.h"
#include "number_text.h"

namespace crossfold::bundled {

// Calls change(j, column) for every numeric feature j of `rows`; `column` is to be filled with its
// new entries.
template <class Change>
void ChangeNumericColumns(const plugin::FeatureView& rows, plugin::ColumnSink& out,
                          const plugin::Context& context, Change&& change) {
  for (std::int64_t j = 0; j < rows.num_features(); ++j) {
    ReportFeature(context, j, rows.num_features());
    if (rows.is_categorical(j)) {
      out.Pass(j);
    } else {
      change(j, out.AddNumeric(std::string(rows.name(j))));
    }
  }
}

// (x - shift) / divisor.
struct LinearChange {
  double shift = 0;
  double divisor = 1;  // 1 for a column without spread

  // `name` is the feature's. A finite entry stays finite or is refused.
  void ApplyTo(std::string_view name, std::span<double> column) const {
    for (double& x : column) {
      const double changed = (x - shift) / divisor;
      if (std::isinf(changed) && !std::isinf(x)) {
        throw plugin::Error(CF_E_NUMERIC,
                            FeatureText(name) + " has the value " + NumberText(x) +
                                ", which is too large for the scale of the training rows");
      }
      x = changed;
    }
  }
};

inline void SaveChanges(plugin::Writer& w, const std::vector<LinearChange>& changes) {
  w.Write(static_cast<std::uint64_t>(changes.size()));
  for (const LinearChange& change : changes) {
    w.Write(change.shift);
    w.Write(change.divisor);
  }
}
inline std::vector<LinearChange> LoadChanges(plugin::Reader& r) {
  std::vector<LinearChange> changes;
  const auto n = r.Read<std::uint64_t>();
  for (std::uint64_t j = 0; j < n; ++j) {
    const auto shift = r.Read<double>();
    changes.push_back({shift, r.Read<double>()});
  }
  return changes;
}

}  // namespace crossfold::bundled
