#include "crossfold/stats/power_law.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "analysis/stats/refuse_argument.h"
#include "crossfold/error.h"
#include "crossfold/summary.h"
#include "crossfold_plugin/compensated_sum.hpp"

namespace crossfold::stats {
namespace {

constexpr std::size_t kFewestPoints = 4;
// Exponents that are tried, on a grid even in ln c. With a free, c below 0.01 is a straight line in
// ln n for any real curve, and a runs away.
constexpr double kSmallestExponent = 1e-4, kSmallestFreeExponent = 1e-2, kLargestExponent = 10;
constexpr int kGridSteps = 300;
// Standard errors of a forecast inside the curve that count as noise.
constexpr double kNoise = 2;

[[noreturn]] void RefuseFit(const std::string& finding) {
  throw Error(ErrorKind::kInvalidArgument, "cannot fit a power law: " + finding);
}

struct Points {
  std::vector<double> logs;  // ln(n / n_0)
  std::vector<double> errors, weights;
  double smallest = 1;
  double largest = 1;

  std::size_t size() const { return logs.size(); }
};

Points MakePoints(std::span<const double> sizes, std::span<const double> errors,
                  std::vector<double> weights) {
  Points points;
  points.smallest = sizes.front();
  points.largest = sizes.back();
  for (const double n : sizes) points.logs.push_back(std::log(n / points.smallest));
  points.errors.assign(errors.begin(), errors.end());
  points.weights = std::move(weights);
  return points;
}

// The best a and b for one exponent.
struct Profile {
  double a = 0, b = 0, sse = 0;
  double slope = 0;    // of sse by c
  bool held = false;   // a is at its bound
  bool falls = false;  // b > 0
};

struct Moments {
  double x = 0, y = 0;    // weighted means
  double xx = 0, xy = 0;  // around them
  double raw_xx = 0, raw_xy = 0;
};

Moments MomentsOf(const Points& points, std::span<const double> x) {
  plugin::CompensatedSum weight, sum_x, sum_y;
  for (std::size_t j = 0; j < points.size(); ++j) {
    weight.Add(points.weights[j]);
    sum_x.Add(points.weights[j] * x[j]);
    sum_y.Add(points.weights[j] * points.errors[j]);
  }
  Moments m;
  m.x = sum_x.DividedBy(weight.value());
  m.y = sum_y.DividedBy(weight.value());
  plugin::CompensatedSum xx, xy, raw_xx, raw_xy;
  for (std::size_t j = 0; j < points.size(); ++j) {
    const double w = points.weights[j], y = points.errors[j];
    xx.Add(w * (x[j] - m.x) * (x[j] - m.x));
    xy.Add(w * (x[j] - m.x) * (y - m.y));
    raw_xx.Add(w * x[j] * x[j]);
    raw_xy.Add(w * x[j] * y);
  }
  m.xx = xx.value();
  m.xy = xy.value();
  m.raw_xx = raw_xx.value();
  m.raw_xy = raw_xy.value();
  return m;
}

Profile ProfileAt(const Points& points, double c, bool bounded) {
  std::vector<double> x(points.size());
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = std::exp(-c * points.logs[j]);
  const Moments m = MomentsOf(points, x);
  Profile profile;
  profile.b = m.xx > 0 ? m.xy / m.xx : 0;
  profile.a = m.y - profile.b * m.x;
  if (bounded && profile.a < 0) {
    profile.held = true;
    profile.a = 0;
    profile.b = m.raw_xy / m.raw_xx;
  }
  profile.falls = profile.b > 0;
  plugin::CompensatedSum sse, slope;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double residual = points.errors[j] - profile.a - profile.b * x[j];
    sse.Add(points.weights[j] * residual * residual);
    slope.Add(2 * points.weights[j] * residual * profile.b * points.logs[j] * x[j]);
  }
  profile.sse = sse.value();
  profile.slope = slope.value();
  return profile;
}

struct Best {
  std::string none;  // why there is no law; empty if there is one
  double c = 0;
  Profile profile;
};

// Where the slope of the profile changes its sign between two exponents around a minimum.
double Bisect(const Points& points, double low, double high, bool bounded) {
  constexpr int kBisections = 200;
  for (int i = 0; i < kBisections; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (ProfileAt(points, middle, bounded).slope < 0 ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

Best FindBest(const Points& points, bool bounded) {
  const double first = std::log(bounded ? kSmallestExponent : kSmallestFreeExponent);
  const double step = (std::log(kLargestExponent) - first) / kGridSteps;
  const auto exponent = [&](int i) { return std::exp(first + step * i); };
  int best = -1;
  double least = 0;
  for (int i = 0; i <= kGridSteps; ++i) {
    const Profile profile = ProfileAt(points, exponent(i), bounded);
    if (!profile.falls || (best >= 0 && !(profile.sse < least))) continue;
    best = i;
    least = profile.sse;
  }
  if (best < 0) return {"no power law: the error does not fall as the rows grow", 0, {}};
  if (best == kGridSteps) {
    return {"no power law: the error falls at the smallest sizes only", 0, {}};
  }
  if (best == 0 && bounded) return {"no power law: the error hardly falls as the rows grow", 0, {}};
  Best found;
  found.c =
      best == 0 ? exponent(0) : Bisect(points, exponent(best - 1), exponent(best + 1), bounded);
  found.profile = ProfileAt(points, found.c, bounded);
  if (!found.profile.falls || found.profile.sse > least) {  // not one minimum inside the bracket
    found.c = exponent(best);
    found.profile = ProfileAt(points, found.c, bounded);
  }
  return found;
}

// rows[p][j]: how parameter p changes with the error of point j, to first order; empty if the
// points do not determine the parameters. By orthogonal columns (Gram-Schmidt, twice) of the
// Jacobian times the roots of the weights.
using Influence = std::vector<std::vector<double>>;

double Dot(std::span<const double> x, std::span<const double> y) {
  plugin::CompensatedSum sum;
  for (std::size_t j = 0; j < x.size(); ++j) sum.Add(x[j] * y[j]);
  return sum.value();
}

// Makes the columns orthonormal; r[k][p] with columns[p] = sum over k of q[k] r[k][p].
bool Orthonormalize(std::vector<std::vector<double>>& columns, Influence& r) {
  constexpr double kDependent = 1e-11;
  for (std::size_t p = 0; p < columns.size(); ++p) {
    const double before = std::sqrt(Dot(columns[p], columns[p]));
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t k = 0; k < p; ++k) {
        const double share = Dot(columns[k], columns[p]);
        r[k][p] += share;
        for (std::size_t j = 0; j < columns[p].size(); ++j) columns[p][j] -= share * columns[k][j];
      }
    }
    r[p][p] = std::sqrt(Dot(columns[p], columns[p]));
    if (!(r[p][p] > kDependent * before)) return false;
    for (double& value : columns[p]) value /= r[p][p];
  }
  return true;
}

Influence InfluenceOf(const Points& points, const PowerLawCurve& curve) {
  const std::size_t m = points.size(), first = curve.a_free ? 0 : 1, n = 3 - first;
  std::vector<std::vector<double>> columns(n, std::vector<double>(m));
  for (std::size_t j = 0; j < m; ++j) {
    const auto gradient = curve.Gradient(curve.smallest * std::exp(points.logs[j]));
    for (std::size_t p = 0; p < n; ++p) {
      columns[p][j] = std::sqrt(points.weights[j]) * gradient[first + p];
    }
  }
  Influence r(n, std::vector<double>(n, 0.0));
  if (!Orthonormalize(columns, r)) return {};
  Influence rows(3, std::vector<double>(m, 0.0));
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t p = n; p-- > 0;) {  // back substitution
      double value = columns[p][j];
      for (std::size_t k = p + 1; k < n; ++k) {
        value -= r[p][k] * rows[first + k][j] / std::sqrt(points.weights[j]);
      }
      rows[first + p][j] = value / r[p][p] * std::sqrt(points.weights[j]);
    }
  }
  return rows;
}

PowerLawCurve CurveOf(const Points& points, const Best& best) {
  PowerLawCurve curve;
  curve.a = best.profile.a;
  curve.scaled_b = best.profile.b;
  curve.c = best.c;
  curve.smallest = points.smallest;
  curve.a_free = !best.profile.held;
  return curve;
}

// From the scatter of the points around the curve.
void SetCovariance(const Points& points, const Influence& influence, double sse,
                   PowerLawCurve& curve) {
  curve.df = static_cast<std::int64_t>(points.size()) - (curve.a_free ? 3 : 2);
  const double variance = sse / static_cast<double>(curve.df);
  for (std::size_t p = 0; p < 3; ++p) {
    for (std::size_t q = 0; q < 3; ++q) {
      plugin::CompensatedSum sum;
      for (std::size_t j = 0; j < points.size(); ++j) {
        sum.Add(influence[p][j] * influence[q][j] / points.weights[j]);
      }
      curve.covariance[p][q] = variance * sum.value();
    }
  }
}

double VarianceOf(std::span<const double> values) {
  const double sd = Summarize(values).sd;
  return sd * sd;
}

// From the spread over the trials.
void SetCovariance(std::span<const std::vector<double>> errors, const Influence& influence,
                   double test_to_train, PowerLawCurve& curve) {
  const std::size_t trials = errors.size();
  const std::size_t m =
      influence[0].size();  // a forecast inside the curve has fewer than the trial
  curve.df = static_cast<std::int64_t>(trials) - 1;
  curve.test_to_train = test_to_train;
  const std::vector<double> ones(m, 1.0);
  std::array<double, 3> means{};
  for (const auto& trial : errors) {
    const auto points = std::span(trial).first(m);
    curve.levels.push_back(Summarize(points).mean);
    curve.trials.push_back(
        {Dot(influence[0], points), Dot(influence[1], points), Dot(influence[2], points)});
    for (std::size_t p = 0; p < 3; ++p) {
      means[p] += curve.trials.back()[p] / static_cast<double>(trials);
    }
  }
  for (std::size_t p = 0; p < 3; ++p) {
    curve.by_level[p] = Dot(influence[p], ones);
    for (std::size_t q = 0; q < 3; ++q) {
      plugin::CompensatedSum sum;
      for (const auto& values : curve.trials)
        sum.Add((values[p] - means[p]) * (values[q] - means[q]));
      curve.covariance[p][q] = sum.value() / static_cast<double>(trials * (trials - 1));
    }
  }
}

void SetParameters(const Points& points, PowerLaw& law) {
  const PowerLawCurve& curve = law.curve;
  const double scale = std::pow(points.smallest, curve.c), log_scale = std::log(points.smallest);
  law.a = curve.a;
  law.b = curve.scaled_b * scale;
  law.c = curve.c;
  law.at_bound = !curve.a_free;
  law.df = curve.df;
  // b = scaled_b n_0^c.
  const std::array<double, 3> by_b = {0, scale, law.b * log_scale};
  law.se_a = law.at_bound ? kUndefined : std::sqrt(curve.Variance({1, 0, 0}));
  law.se_b = std::sqrt(curve.Variance(by_b));
  law.se_c = std::sqrt(curve.Variance({0, 0, 1}));
}

PowerLaw NoLaw(std::size_t points, std::string why) {
  PowerLaw law;
  law.undefined = std::move(why);
  law.points = static_cast<std::int64_t>(points);
  for (double* value : {&law.a, &law.b, &law.c, &law.se_a, &law.se_b, &law.se_c, &law.sse}) {
    *value = kUndefined;
  }
  return law;
}

// `set_covariance(influence, sse, curve)` fills in what the intervals of a curve come from.
template <class SetCovarianceOf>
PowerLaw Fit(const Points& points, SetCovarianceOf&& set_covariance) {
  if (points.size() < kFewestPoints) {
    return NoLaw(points.size(),
                 "a power law needs 4 or more sizes, there are " + std::to_string(points.size()));
  }
  const Best best = FindBest(points, true);
  if (!best.none.empty()) return NoLaw(points.size(), best.none);
  PowerLaw law;
  law.points = static_cast<std::int64_t>(points.size());
  law.largest = points.largest;
  law.sse = best.profile.sse;
  law.curve = CurveOf(points, best);
  const Influence influence = InfluenceOf(points, law.curve);
  if (influence.empty()) {
    return NoLaw(points.size(), "no power law: the points do not determine its exponent");
  }
  set_covariance(influence, best.profile.sse, law.curve);
  law.defined = true;
  SetParameters(points, law);
  if (law.at_bound) {
    const Best free = FindBest(points, false);
    law.unbounded = free.none.empty() ? CurveOf(points, free) : law.curve;
    const Influence wider = InfluenceOf(points, law.unbounded);
    if (free.none.empty() && !wider.empty()) {
      set_covariance(wider, free.profile.sse, law.unbounded);
    } else {
      law.unbounded = law.curve;
    }
  }
  return law;
}

void CheckPoints(std::span<const double> sizes, std::span<const double> errors) {
  if (sizes.empty()) RefuseFit("there are no sizes; give 4 or more");
  if (errors.size() != sizes.size()) {
    RefuseFit("there are " + std::to_string(sizes.size()) + " sizes and " +
              std::to_string(errors.size()) + " errors; give one error per size");
  }
  for (std::size_t j = 0; j < sizes.size(); ++j) {
    if (!std::isfinite(sizes[j]) || sizes[j] <= (j == 0 ? 0 : sizes[j - 1])) {
      RefuseFit("size " + std::to_string(j + 1) +
                " does not continue an ascending list of numbers " +
                "above 0; sort the sizes and give each once");
    }
    if (!std::isfinite(errors[j]) || errors[j] < 0) {
      RefuseFit("error " + std::to_string(j + 1) +
                " is negative or not finite; the law is for errors from 0 up");
    }
  }
}

std::vector<double> Means(std::span<const std::vector<double>> errors, std::size_t size) {
  std::vector<double> means(size);
  for (std::size_t j = 0; j < size; ++j) {
    plugin::CompensatedSum sum;
    for (const auto& trial : errors) sum.Add(trial[j]);
    means[j] = sum.DividedBy(static_cast<double>(errors.size()));
  }
  return means;
}

std::vector<double> InverseVariances(std::span<const std::vector<double>> errors,
                                     std::span<const double> means) {
  std::vector<double> weights(means.size());
  for (std::size_t j = 0; j < means.size(); ++j) {
    plugin::CompensatedSum squares;
    for (const auto& trial : errors) squares.Add((trial[j] - means[j]) * (trial[j] - means[j]));
    if (!(squares.value() > 0)) {
      RefuseFit("all trials agree at size " + std::to_string(j + 1) +
                ", so that its weight 1 / variance is infinite; use other weights");
    }
    weights[j] = static_cast<double>(errors.size() - 1) / squares.value();
  }
  return weights;
}

std::vector<double> WeightsOf(PowerLawWeights kind, std::span<const double> sizes) {
  std::vector<double> weights(sizes.size(), 1.0);
  const double m = static_cast<double>(sizes.size());
  for (std::size_t j = 0; j < sizes.size(); ++j) {
    if (kind == PowerLawWeights::kRank) weights[j] = static_cast<double>(j + 1) / m;
    if (kind == PowerLawWeights::kSize) weights[j] = sizes[j];
  }
  return weights;
}

Points FirstPoints(const Points& points, std::size_t count) {
  Points part = points;
  part.logs.resize(count);
  part.errors.resize(count);
  part.weights.resize(count);
  part.largest = points.smallest * std::exp(part.logs.back());
  return part;
}

// See FitPowerLawToTrials.
double MisfitOf(const Points& points, std::span<const std::vector<double>> errors) {
  double squared = 0;
  const std::size_t last = points.size() - 1;
  for (std::size_t k = kFewestPoints; k <= last; ++k) {
    const PowerLaw part =
        Fit(FirstPoints(points, k), [&](const Influence& influence, double, PowerLawCurve& curve) {
          SetCovariance(errors, influence, 0, curve);
        });
    if (!part.defined) continue;
    const double forecast = part.curve.At(points.largest);
    const auto gradient = part.curve.Gradient(points.largest);
    std::vector<double> differences;
    for (std::size_t t = 0; t < errors.size(); ++t) {
      differences.push_back(Dot(gradient, part.curve.trials[t]) - errors[t][last]);
    }
    const double variance = VarianceOf(differences) / static_cast<double>(errors.size());
    const double error = points.errors[last] - forecast;
    const double scale = forecast * (points.logs[last] - points.logs[k - 1]);
    if (scale > 0) {
      squared = std::max(squared, (error * error - kNoise * kNoise * variance) / (scale * scale));
    }
  }
  return std::sqrt(squared);
}

}  // namespace

double PowerLawCurve::At(double n) const { return a + scaled_b * std::pow(n / smallest, -c); }

std::array<double, 3> PowerLawCurve::Gradient(double n) const {
  const double log = std::log(n / smallest), x = std::exp(-c * log);
  return {a_free ? 1.0 : 0.0, x, -scaled_b * log * x};
}

double PowerLawCurve::Variance(const std::array<double, 3>& gradient) const {
  double variance = 0;
  for (std::size_t p = 0; p < 3; ++p) {
    for (std::size_t q = 0; q < 3; ++q) variance += gradient[p] * covariance[p][q] * gradient[q];
  }
  variance = std::max(variance, 0.0);
  if (trials.empty()) return variance;
  const double of_level = Dot(gradient, by_level);
  const double of_one_trial = variance * static_cast<double>(trials.size());
  return variance +
         test_to_train * std::min(of_one_trial, of_level * of_level * VarianceOf(levels));
}

PowerLaw FitPowerLaw(std::span<const double> sizes, std::span<const double> errors,
                     PowerLawWeights weights) {
  CheckPoints(sizes, errors);
  if (weights == PowerLawWeights::kInverseVariance) {
    RefuseFit("the weights 1 / variance need trials; give the errors of two or more");
  }
  const Points points = MakePoints(sizes, errors, WeightsOf(weights, sizes));
  return Fit(points, [&](const Influence& influence, double sse, PowerLawCurve& curve) {
    SetCovariance(points, influence, sse, curve);
  });
}

PowerLaw FitPowerLawToTrials(std::span<const double> sizes,
                             std::span<const std::vector<double>> errors, double test_to_train,
                             PowerLawWeights weights) {
  if (errors.size() < 2) RefuseFit("there are fewer than 2 trials; fit their errors as points");
  if (!std::isfinite(test_to_train) || test_to_train < 0) {
    RefuseFit("the ratio of test to training rows is negative or not finite; give 0 for none");
  }
  for (const auto& trial : errors) CheckPoints(sizes, trial);
  const std::vector<double> means = Means(errors, sizes.size());
  const Points points =
      MakePoints(sizes, means,
                 weights == PowerLawWeights::kInverseVariance ? InverseVariances(errors, means)
                                                              : WeightsOf(weights, sizes));
  PowerLaw law = Fit(points, [&](const Influence& influence, double, PowerLawCurve& curve) {
    SetCovariance(errors, influence, test_to_train, curve);
  });
  if (law.defined) law.misfit = MisfitOf(points, errors);
  return law;
}

}  // namespace crossfold::stats
