// Bends numeric columns towards a normal distribution: see README.md.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "../feature_values.h"
#include "../moments.h"
#include "../number_text.h"
#include "../numeric_columns.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {
namespace {

namespace cf = crossfold::plugin;

// The power that brings positive or mixed numbers closest to a normal distribution: the maximum of
// the profile likelihood over lambda.
constexpr double kLowestLambda = -10;
constexpr double kHighestLambda = 10;

constexpr double kScanStep = 0.5;
constexpr double kLambdaTolerance = 1e-10;
constexpr double kWorst = -std::numeric_limits<double>::infinity();

double WeightedMean(std::span<const double> values, std::span<const double> weights) {
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += weights[i] * values[i];
    total += weights[i];
  }
  const double mean = sum / total;
  double rest = 0;  // what rounding lost
  for (std::size_t i = 0; i < values.size(); ++i) rest += weights[i] * (values[i] - mean);
  return mean + rest / total;
}

// -1/2 log of the variance: the part of the mean log likelihood of normal numbers that depends on
// them. kWorst where the numbers overflow or are all equal.
double NormalLikelihood(std::span<const double> values, std::span<const double> weights) {
  const double mean = WeightedMean(values, weights);
  double squares = 0, total = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares += weights[i] * (values[i] - mean) * (values[i] - mean);
    total += weights[i];
  }
  const double variance = squares / total;
  return variance > 0 && std::isfinite(variance) ? -0.5 * std::log(variance) : kWorst;
}

// The maximum of `likelihood`: the best place of a coarse scan, refined by golden section (R. P.
// Brent, Algorithms for Minimization without Derivatives, 1973, ch. 5). Ties go to the lower
// lambda.
template <class Likelihood>
double Maximise(const Likelihood& likelihood) {
  double best = kLowestLambda, greatest = kWorst;
  for (double lambda = kLowestLambda; lambda <= kHighestLambda; lambda += kScanStep) {
    const double value = likelihood(lambda);
    if (value > greatest) {
      greatest = value;
      best = lambda;
    }
  }
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double low = std::max(kLowestLambda, best - kScanStep);
  double high = std::min(kHighestLambda, best + kScanStep);
  double left = high - golden * (high - low), right = low + golden * (high - low);
  double at_left = likelihood(left), at_right = likelihood(right);
  while (high - low > kLambdaTolerance) {
    if (at_left >= at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - golden * (high - low);
      at_left = likelihood(left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + golden * (high - low);
      at_right = likelihood(right);
    }
  }
  return (low + high) / 2;
}

bool AllEqual(std::span<const double> values) {
  return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
}

// (exp(lambda log_x) - 1) / lambda, and its limit at lambda = 0.
double BoxCox(double log_x, double lambda) {
  return lambda == 0 ? log_x : std::expm1(lambda * log_x) / lambda;
}

double YeoJohnson(double x, double lambda) {
  return x >= 0 ? BoxCox(std::log1p(x), lambda) : -BoxCox(std::log1p(-x), 2 - lambda);
}

// Returns 1 for equal values, which have no likelihood. Weights count as repetitions. REQUIRES:
// equal lengths, finite values, weights > 0.
// The values are divided by their geometric mean first. That moves the likelihood by a constant, so
// lambda stays, and keeps the powers near 1, where their differences are exact.
double LikeliestBoxCox(std::span<const double> log_values, std::span<const double> weights) {
  if (AllEqual(log_values)) return 1;
  const double centre = WeightedMean(log_values, weights);
  std::vector<double> changed(log_values.size());
  return Maximise([&](double lambda) {
    for (std::size_t i = 0; i < changed.size(); ++i) {
      changed[i] = BoxCox(log_values[i] - centre, lambda);
    }
    return NormalLikelihood(changed, weights);
  });
}

// Of one sign, the values are those of a Box-Cox transform of 1 + |x|.
double LikeliestYeoJohnson(std::span<const double> values, std::span<const double> weights) {
  if (AllEqual(values)) return 1;
  std::vector<double> changed;
  for (const double x : values) changed.push_back(std::log1p(std::fabs(x)));
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  if (*least >= 0) return LikeliestBoxCox(changed, weights);
  if (*greatest <= 0) return 2 - LikeliestBoxCox(changed, weights);
  for (std::size_t i = 0; i < values.size(); ++i) changed[i] = std::copysign(changed[i], values[i]);
  const double slope = WeightedMean(changed, weights);  // of the mean log Jacobian
  return Maximise([&](double lambda) {
    for (std::size_t i = 0; i < changed.size(); ++i) changed[i] = YeoJohnson(values[i], lambda);
    return NormalLikelihood(changed, weights) + (lambda - 1) * slope;
  });
}

enum class Method : std::uint8_t { kLog, kBoxCox, kYeoJohnson };
constexpr std::array<const char*, 3> kMethodNames = {"log", "box_cox", "yeo_johnson"};

class Power {
 public:
  static constexpr cf::TransformInfo kInfo{
      .component = {.id = "crossfold.power",
                    .title = "Power transforms",
                    .doc =
                        "Takes the logarithm or a power of every numeric column; the power brings "
                        "the training rows closest to a normal distribution. Missing entries "
                        "stay missing, categorical columns pass through.",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED}};

  struct Params {
    Method method = Method::kYeoJohnson;
    double shift = 0;
    bool standardize = false;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Choice("method", &Params::method, kMethodNames,
                            "Function that is applied to every entry."),
                 cf::Real("shift", &Params::shift, {}, "Added before the logarithm is taken.",
                          {.active_if = "method=log"}),
                 cf::Boolean("standardize", &Params::standardize,
                             "Afterwards subtract the mean and divide by the standard deviation."));

  static Power Fit(const Params& params, const cf::TrainingView& train,
                   const cf::Context& context) {
    Power fitted;
    fitted.method_ = params.method;
    fitted.shift_ = params.shift;
    for (std::int64_t j = 0; j < train.num_features(); ++j) {
      ReportFeature(context, j, train.num_features());
      fitted.changes_.emplace_back();
      fitted.changes_.back().feature = train.name(j);
      if (!train.is_categorical(j)) fitted.FitFeature(train, j, params.standardize);
    }
    return fitted;
  }

  cf::ModelShape shape() const { return {.n_features = std::ssize(changes_)}; }
  void Apply(const cf::FeatureView& rows, cf::ColumnSink& out, const cf::Context& context) const {
    ChangeNumericColumns(rows, out, context, [&](std::int64_t j, std::span<double> column) {
      const Change& change = changes_[static_cast<std::size_t>(j)];
      rows.CopyColumn(j, column);
      if (!change.known) return;
      for (double& x : column) {
        if (std::isnan(x)) continue;
        x = (Bend(rows, j, x, change.lambda) - change.mean) / change.sd;
      }
    });
  }

  static constexpr std::uint32_t kFormatVersion = 1;
  void Save(cf::Writer& w) const {
    w.Write(static_cast<std::uint8_t>(method_));
    w.Write(shift_);
    w.Write(static_cast<std::uint64_t>(changes_.size()));
    for (const Change& change : changes_) {
      w.WriteText(change.feature);
      w.Write(change.known);
      w.Write(change.lambda);
      w.Write(change.mean);
      w.Write(change.sd);
    }
  }
  static Power Load(cf::Reader& r) {
    Power model;
    model.method_ = static_cast<Method>(
        r.ReadWithin<std::uint8_t>(0, static_cast<std::uint8_t>(Method::kYeoJohnson)));
    model.shift_ = r.Read<double>();
    const auto n = r.Read<std::uint64_t>();
    for (std::uint64_t j = 0; j < n; ++j) {
      Change change;
      change.feature = r.ReadText();
      change.known = r.Read<bool>();
      change.lambda = r.Read<double>();
      change.mean = r.Read<double>();
      change.sd = r.Read<double>();
      model.changes_.push_back(change);
    }
    return model;
  }

  static constexpr std::array<const char*, 1> kExportFormats = {"text"};
  std::string Export(std::size_t, const cf::Context&) const {
    std::string text = std::string("method\t") + kMethodNames[static_cast<std::size_t>(method_)] +
                       "\nlambda\tfeature\n";
    for (const Change& change : changes_) {
      const bool has_lambda = change.known && method_ != Method::kLog;
      text += (has_lambda ? NumberText(change.lambda) : std::string("-")) + '\t' + change.feature +
              '\n';
    }
    return text;
  }

 private:
  struct Change {
    std::string feature;
    bool known = false;  // false: no training row shows the column (or it is categorical)
    double lambda = 1;   // unused by log
    double mean = 0;
    double sd = 1;
  };

  // Refuses values for which the method is not defined.
  void RequireInDomain(const cf::FeatureView& rows, std::int64_t j, double x) const {
    RefuseInfinite(rows, j, x);
    if (method_ == Method::kYeoJohnson) return;
    const double shift = method_ == Method::kLog ? shift_ : 0;
    if (x + shift > 0) return;
    throw cf::Error(CF_E_UNSUPPORTED_DATA,
                    FeatureText(rows, j) + " has the value " + NumberText(x) + ", and " +
                        kMethodNames[static_cast<std::size_t>(method_)] + " takes values above " +
                        NumberText(0 - shift) + " only");
  }

  double Bend(const cf::FeatureView& rows, std::int64_t j, double x, double lambda) const {
    RequireInDomain(rows, j, x);
    double bent = 0;
    switch (method_) {
      case Method::kLog:
        bent = std::log(x + shift_);
        break;
      case Method::kBoxCox:
        bent = BoxCox(std::log(x), lambda);
        break;
      case Method::kYeoJohnson:
        bent = YeoJohnson(x, lambda);
        break;
    }
    if (std::isfinite(bent)) return bent;
    throw cf::Error(CF_E_NUMERIC, FeatureText(rows, j) + " has the value " + NumberText(x) +
                                      ", which lambda = " + NumberText(lambda) + " makes infinite");
  }

  void FitFeature(const cf::TrainingView& train, std::int64_t j, bool standardize) {
    FeatureValues present = PresentValues(train, j);
    if (present.values.empty()) return;
    Change& change = changes_.back();
    change.known = true;
    for (const double x : present.values) RequireInDomain(train, j, x);
    change.lambda = LambdaFor(present);
    for (double& x : present.values) x = Bend(train, j, x, change.lambda);
    if (!standardize) return;
    const Moments m = ComputeMoments(present.values, present.weights, Denominator::kTotalWeight,
                                     FeatureText(train, j));
    change.mean = m.mean;
    if (m.sd > 0) change.sd = m.sd;
  }

  double LambdaFor(const FeatureValues& present) const {
    if (method_ == Method::kYeoJohnson) {
      return LikeliestYeoJohnson(present.values, present.weights);
    }
    if (method_ == Method::kLog) return 1;
    std::vector<double> logs;
    for (const double x : present.values) logs.push_back(std::log(x));
    return LikeliestBoxCox(logs, present.weights);
  }

  Method method_ = Method::kYeoJohnson;
  double shift_ = 0;
  std::vector<Change> changes_;  // one per feature
};

}  // namespace
}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.power", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::Power)
