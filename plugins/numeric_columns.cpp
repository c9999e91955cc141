#include "numeric_columns.h"

#include <cmath>

#include "feature_text.h"
#include "number_text.h"

namespace crossfold::bundled {

void LinearChange::ApplyTo(std::string_view name, std::span<double> column) const {
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

void SaveChanges(plugin::Writer& w, const std::vector<LinearChange>& changes) {
  w.Write(static_cast<std::uint64_t>(changes.size()));
  for (const LinearChange& change : changes) {
    w.Write(change.shift);
    w.Write(change.divisor);
  }
}

std::vector<LinearChange> LoadChanges(plugin::Reader& r) {
  std::vector<LinearChange> changes;
  const auto n = r.Read<std::uint64_t>();
  for (std::uint64_t j = 0; j < n; ++j) {
    const auto shift = r.Read<double>();
    changes.push_back({shift, r.Read<double>()});
  }
  return changes;
}

}  // namespace crossfold::bundled
