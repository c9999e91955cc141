// How messages name a feature and its bad entries.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "crossfold_plugin.hpp"

namespace crossfold::bundled {

std::string FeatureText(std::string_view name);
std::string FeatureText(const plugin::FeatureView& rows, std::int64_t j);

// A missing entry is NaN.
void RefuseInfinite(std::string_view name, double x);
inline void RefuseInfinite(const plugin::FeatureView& rows, std::int64_t j, double x) {
  if (std::isinf(x)) RefuseInfinite(rows.name(j), x);
}

[[noreturn]] void RefuseNotFinite(const plugin::FeatureView& rows, std::int64_t j);
inline void RequireFinite(const plugin::FeatureView& rows, std::int64_t j, double x) {
  if (!std::isfinite(x)) RefuseNotFinite(rows, j);
}

}  // namespace crossfold::bundled
