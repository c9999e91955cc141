#include "gamma_column.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "../number_text.h"
#include "normal_column.h"

namespace crossfold::bundled {
namespace {

// Below this ratio of standard deviation to mean the logarithms have lost the digits that determine
// the shape; the likelihood and the moments give the same shape up to about this.
constexpr double kLeastVariation = 1e-5;

// The functions below go from x to x + 1 until the terms of an asymptotic series that are left out
// are below the rounding: M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions, 1964,
// 6.1.15, 6.1.41, 6.3.5, 6.3.18, 6.4.6 and 6.4.12.
constexpr double kLarge = 16;

// log x - digamma(x), of which both are nearly equal for a large x.
double LogLessDigamma(double x) {
  double sum = 0;
  const double start = x;
  for (; x < kLarge; x += 1) sum += 1 / x;
  const double y = 1 / (x * x);
  const double rest =
      1 / (2 * x) + y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y * (1.0 / 240 - y / 132))));
  return start == x ? rest : rest + sum - std::log(x / start);
}

double Trigamma(double x) {
  double sum = 0;
  for (; x < kLarge; x += 1) sum += 1 / (x * x);
  const double y = 1 / (x * x);
  return sum + 1 / x + y / 2 +
         y / x * (1.0 / 6 - y * (1.0 / 30 - y * (1.0 / 42 - y * (1.0 / 30 - y * 5 / 66))));
}

// log(x^x exp(-x) / Gamma(x)), without the large terms that cancel out.
double LogFactor(double x) {
  if (x < kLarge) {
    double log_gamma_ratio = 0, above = x;  // log(Gamma(above) / Gamma(x))
    for (; above < kLarge; above += 1) log_gamma_ratio += std::log(above);
    return LogFactor(above) + log_gamma_ratio + x * std::log(x) - above * std::log(above) +
           (above - x);
  }
  const double y = 1 / (x * x);
  const double series =
      (1.0 / 12 - y * (1.0 / 360 - y * (1.0 / 1260 - y * (1.0 / 1680 - y / 1188)))) / x;
  return 0.5 * std::log(x / (2 * std::numbers::pi)) - series;
}

// Returns the shape of the greatest likelihood: log shape - digamma(shape) = gap, the logarithm of
// the mean less the mean of the logarithms. By the start and the steps of T. P. Minka, "Estimating
// a gamma distribution", 2002. REQUIRES: gap > 0.
double LikeliestShape(double gap) {
  double shape = (3 - gap + std::sqrt((gap - 3) * (gap - 3) + 24 * gap)) / (12 * gap);
  for (int step = 0; step < 20; ++step) {
    const double slope = 1 / shape - Trigamma(shape);  // of log - digamma; below 0
    const double inverse = 1 / shape + (LogLessDigamma(shape) - gap) / (shape * shape * slope);
    const double next = 1 / inverse;
    if (!(next > 0) || std::abs(next - shape) <= 1e-15 * shape) break;
    shape = next;
  }
  return shape;
}

}  // namespace

void GammaColumn::RefuseBad(double x) const {
  RefuseInfinite(name_, x);
  if (x > 0) return;
  throw plugin::Error(CF_E_UNSUPPORTED_DATA, FeatureText(name_) + " has the entry " +
                                                 NumberText(x) +
                                                 ", but gamma values must be greater than 0");
}

void GammaColumn::Update(const Batch& batch, std::span<const double> x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i]) || batch.weights[i] == 0) continue;
    RefuseBad(x[i]);
    logs_.AddProduct(batch.classes[i], batch.weights[i], std::log(x[i]));
  }
  logs_.Normalise();
  sums_.AddRows(batch, x, name_);
}

GammaColumn::Density GammaColumn::MakeDensity(const NormalMoments& moments, double mean_log,
                                              double floor, const std::string& subject) {
  constexpr double kMostShape = 1e300;
  if (!(moments.mean > 0)) throw plugin::Error(CF_E_NUMERIC, subject + " has no mean above 0");
  Density density;
  density.mean = moments.mean;
  const double variation = std::sqrt(moments.variance) / moments.mean;
  const double gap = std::log(moments.mean) - mean_log;
  density.shape = kMostShape;
  if (variation >= kLeastVariation && gap > 0) {
    density.shape = LikeliestShape(gap);
  } else if (variation > 0) {
    density.shape = std::min(1 / variation / variation, kMostShape);
  } else if (floor == 0) {
    RefuseConstant(subject);
  }
  const double least_variation = floor / moments.mean;
  if (least_variation > 0) {
    density.shape = std::min(density.shape, 1 / least_variation / least_variation);
  }
  density.shape = std::max(density.shape, std::numeric_limits<double>::min());
  density.log_factor = LogFactor(density.shape);
  return density;
}

void GammaColumn::Finish(const Shared& shared) {
  densities_.clear();
  const NormalMoments overall = sums_.Overall(Denominator::kTotalWeight, FeatureText(name_));
  if (overall.variance == 0) return;
  const double floor = shared.params->min_sd * std::sqrt(overall.variance);
  double all_logs = 0;
  for (std::size_t c = 0; c < logs_.size(); ++c) all_logs += logs_.Value(c);
  for (std::size_t c = 0; c < logs_.size(); ++c) {
    const std::string subject = OfClass(name_, shared.class_names[c]);
    const NormalMoments m = sums_.OfClass(c, Denominator::kTotalWeight, subject);
    // A class that never has this feature gets the distribution of all rows.
    densities_.push_back(m.weight > 0
                             ? MakeDensity(m, logs_.Value(c) / m.weight, floor, subject)
                             : MakeDensity(overall, all_logs / overall.weight, floor, subject));
  }
}

// The density times x, as the factor 1 / x is the same in all classes.
void GammaColumn::Score(std::span<const double> x, const ScoreTable& table) const {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i])) continue;
    RefuseBad(x[i]);
    double* to = table.row(i);
    for (std::size_t c = 0; c < densities_.size(); ++c) {
      const Density& density = densities_[c];
      // log(x / mean) + 1 - x / mean, near the mean too.
      const double above = (x[i] - density.mean) / density.mean;
      const double log_ratio =
          std::abs(above) < 0.5 ? std::log1p(above) : std::log(x[i]) - std::log(density.mean);
      to[c] += density.log_factor + density.shape * (log_ratio - above);
    }
  }
}

std::string GammaColumn::Describe(const Shared& shared) const {
  if (densities_.empty()) return name_ + " is constant or missing and is not used\n";
  std::string text;
  for (std::size_t c = 0; c < densities_.size(); ++c) {
    const Density& density = densities_[c];
    text += name_ + " | " + shared.class_names[c] +
            " ~ gamma(shape = " + NumberText(density.shape) +
            ", scale = " + NumberText(density.mean / density.shape) + ")\n";
  }
  return text;
}

void GammaColumn::Save(plugin::Writer& w) const {
  sums_.Save(w);
  logs_.Save(w);
}

GammaColumn GammaColumn::Load(plugin::Reader& r, std::string name, std::size_t n_classes) {
  GammaColumn column(std::move(name), n_classes);
  column.sums_ = NormalSums::Load(r, n_classes);
  column.logs_ = ExactSums::Load(r, n_classes);
  return column;
}

}  // namespace crossfold::bundled
