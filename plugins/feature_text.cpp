#include "feature_text.h"

namespace crossfold::bundled {

std::string FeatureText(std::string_view name) { return "feature '" + std::string(name) + "'"; }
std::string FeatureText(const plugin::FeatureView& rows, std::int64_t j) {
  return FeatureText(rows.name(j));
}

void RefuseInfinite(std::string_view name, double x) {
  if (!std::isinf(x)) return;
  throw plugin::Error(CF_E_UNSUPPORTED_DATA, FeatureText(name) + " has an infinite entry");
}

void RefuseNotFinite(const plugin::FeatureView& rows, std::int64_t j) {
  throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                      FeatureText(rows, j) + " has an infinite or missing entry");
}

}  // namespace crossfold::bundled
