// Code shared by the transforms that change every numeric column by itself and pass the others.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold_plugin.hpp"
#include "feature_values.h"

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
  void ApplyTo(std::string_view name, std::span<double> column) const;
};

void SaveChanges(plugin::Writer& w, const std::vector<LinearChange>& changes);
std::vector<LinearChange> LoadChanges(plugin::Reader& r);

}  // namespace crossfold::bundled
