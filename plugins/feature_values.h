// The entries of one numeric feature, as transforms read them: missing ones are skipped or stay,
// infinite ones are refused by name.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "crossfold_plugin.hpp"
#include "feature_text.h"

namespace crossfold::bundled {

// Entry i of `weights` belongs to entry i of `values`. Every weight is > 0.
struct FeatureValues {
  std::vector<double> values, weights;
  std::vector<std::int64_t> rows;  // of the view
};

// Present entries of feature j in rows of positive weight, in row order.
FeatureValues PresentValues(const plugin::TrainingView& train, std::int64_t j);

// All entries of feature j, missing ones as NaN. REQUIRES: out.size() == rows.num_rows().
void CopyFinite(const plugin::FeatureView& rows, std::int64_t j, std::span<double> out);

// Reports the share of the features that is done; every feature costs a pass over the rows.
inline void ReportFeature(const plugin::Context& context, std::int64_t j, std::int64_t n) {
  context.Progress(static_cast<double>(j) / static_cast<double>(n));
}

}  // namespace crossfold::bundled
