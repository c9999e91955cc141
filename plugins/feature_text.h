// How messages name a feature and its bad entries.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "crossfold_plugin.hpp"

namespace crossfold::bundled {

inline std::string FeatureText(std::string_view name) {
  return "feature '" + std::string(name) + "'";
}
inline std::string FeatureText(const plugin::FeatureView& rows, std::int64_t j) {
  return FeatureText(rows.name(j));
}

// A missing entry is NaN.
inline void RefuseInfinite(std::string_view name, double x) {
  if (!std::isinf(x)) return;
  throw plugin::Error(CF_E_UNSUPPORTED_DATA, FeatureText(name) + " has an infinite entry");
}
inline void RefuseInfinite(const plugin::FeatureView& rows, std::int64_t j, double x) {
  if (std::isinf(x)) RefuseInfinite(rows.name(j), x);
}

inline void RequireFinite(const plugin::FeatureView& rows, std::int64_t j, double x) {
  if (std::isfinite(x)) return;
  throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                      FeatureText(rows, j) + " has an infinite or missing entry");
}

}  // namespace crossfold::bundled
