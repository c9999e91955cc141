#include "normal_column.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "../number_text.h"

namespace crossfold::bundled {
namespace {

// Variances are used and multiplied as normal doubles.
double InRange(double variance) {
  return std::clamp(variance, std::numeric_limits<double>::min(),
                    std::numeric_limits<double>::max());
}

}  // namespace

double FloorVariance(double min_sd, double overall) {
  return min_sd > 0 && overall > 0 ? InRange(min_sd * min_sd * overall) : 0;
}

double UsedVariance(double variance, double added_variance, double floor) {
  const double used = std::max(variance + added_variance, floor);
  return used > 0 ? InRange(used) : 0;
}

void RefuseConstant(const std::string& subject) {
  throw plugin::Error(CF_E_NUMERIC, subject + " has standard deviation 0; raise min_sd");
}

void NormalColumn::Finish(const Shared& shared) {
  densities_.clear();
  const BayesParams& params = *shared.params;
  const NormalMoments overall = Overall(params.variance);
  if (overall.variance == 0) return;
  const double floor = FloorVariance(params.min_sd, overall.variance);
  for (std::size_t c = 0; c < shared.class_names.size(); ++c) {
    const std::string subject = OfClass(name_, shared.class_names[c]);
    const NormalMoments m = sums_.OfClass(c, params.variance, subject);
    // A class that never has this feature gets the distribution of all rows.
    const NormalMoments& used = m.weight > 0 ? m : overall;
    const double variance = UsedVariance(used.variance, shared.added_variance, floor);
    if (variance == 0) RefuseConstant(subject);
    densities_.push_back({used.mean, variance});
  }
}

std::string NormalColumn::Describe(const Shared& shared) const {
  if (densities_.empty()) return name_ + " is constant or missing and is not used\n";
  std::string text;
  for (std::size_t c = 0; c < densities_.size(); ++c) {
    text += name_ + " | " + shared.class_names[c] +
            " ~ normal(mean = " + NumberText(densities_[c].mean) +
            ", sd = " + NumberText(std::sqrt(densities_[c].variance)) + ")\n";
  }
  return text;
}

NormalColumn NormalColumn::Load(plugin::Reader& r, std::string name, std::size_t n_classes) {
  NormalColumn column(std::move(name), n_classes);
  column.sums_ = NormalSums::Load(r, n_classes);
  return column;
}

}  // namespace crossfold::bundled
