#include "crossfold/stats/bayes_hierarchical.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

#include "analysis/stats/distributions.h"
#include "analysis/stats/posterior_samples.h"
#include "analysis/stats/refuse_argument.h"
#include "crossfold/summary.h"
#include "engine/text/format_number.h"

namespace crossfold::stats {
namespace {

constexpr char kHierarchical[] = "make the Bayesian hierarchical test";
constexpr std::int64_t kChains = 4;
constexpr std::int64_t kBurnIn = 500;
constexpr double kBoundFactor = 1000;
constexpr double kLargestRhat = 1.05;
constexpr double kSmallestLog = -60;  // of a scale or variance, where the mean spread is 1

void CheckPrior(const HierarchicalPrior& prior) {
  const auto check = [](const char* name, double lower, double upper) {
    if (lower > 0 && lower <= upper && std::isfinite(upper)) return;
    RefuseArgument(kHierarchical,
                   std::string("the prior of ") + name + " is from " + FormatShortest(lower) +
                       " to " + FormatShortest(upper),
                   "use positive bounds in order");
  };
  check("alpha", prior.lower_alpha, prior.upper_alpha);
  check("beta", prior.lower_beta, prior.upper_beta);
}

void CheckHierarchical(std::span<const FoldDifferences> datasets,
                       const BayesHierarchicalOptions& options) {
  if (!(options.rope >= 0 && std::isfinite(options.rope))) {
    RefuseArgument(kHierarchical,
                   "the region of practical equivalence [-rope, rope] has rope " +
                       FormatShortest(options.rope),
                   "use a number of at least 0, such as 0.01");
  }
  if (options.samples < 400) {
    RefuseArgument(kHierarchical, "there are " + std::to_string(options.samples) + " samples",
                   "use a number of at least 400, such as 20000");
  }
  if (options.points < 0) {
    RefuseArgument(kHierarchical, "the number of points is " + std::to_string(options.points),
                   "use a number of at least 0, such as 2000");
  }
  CheckPrior(options.prior);
  for (std::size_t i = 0; i < datasets.size(); ++i) {
    const std::string of = "data set " + std::to_string(i + 1);
    CheckFinite(kHierarchical, of + ": difference", datasets[i].values);
    if (datasets[i].values.size() < 2) {
      RefuseArgument(kHierarchical, of + " has fewer than 2 differences",
                     "give one of each fold, or compare means by the signed-rank test");
    }
    if (!(datasets[i].rho >= 0 && datasets[i].rho < 1)) {
      RefuseArgument(kHierarchical, of + " has rho " + FormatShortest(datasets[i].rho),
                     "use the share of test rows, such as 0.1 for 10 folds");
    }
  }
}

// What the likelihood needs of a data set: with compound symmetry the mean and the squares around
// it are sufficient.
struct Sufficient {
  double n, mean, squares;
  double within;   // 1 - rho: the variance of differences around their mean, over sigma^2
  double between;  // (1 + (n-1) rho) / n: the variance of their mean, over sigma^2
};

Sufficient SufficientOf(const FoldDifferences& data, double scale, double rope) {
  const Summary summary = Summarize(data.values);
  const auto n = static_cast<double>(data.values.size());
  const bool varies = summary.min < summary.max;
  const double squares = varies ? summary.sd * summary.sd * (n - 1) : n * rope * rope / 3;
  return {n, summary.mean / scale, squares / (scale * scale), 1 - data.rho,
          (1 + (n - 1) * data.rho) / n};
}

struct Bounds {
  double mean;     // |delta_0| <= mean
  double within;   // sigma_i
  double between;  // sigma_0
};

// One draw from a density on (low, high), from a point in it: the interval grows by steps of
// `width` and shrinks to the points that are refused (Neal 2003, figures 3 and 5).
double DrawBySlice(double x, double low, double high, double width, plugin::Random& random,
                   const std::function<double(double)>& log_density) {
  const double level = log_density(x) + std::log(1 - random.Uniform());
  constexpr int kMostSteps = 50;
  double left = x - width * random.Uniform();
  double right = left + width;
  for (int i = 0; i < kMostSteps && left > low && log_density(left) > level; ++i) left -= width;
  for (int i = 0; i < kMostSteps && right < high && log_density(right) > level; ++i) right += width;
  left = std::max(left, low);
  right = std::min(right, high);
  while (true) {
    const double candidate = left + (right - left) * random.Uniform();
    if (log_density(candidate) >= level) return candidate;
    if (left >= right || candidate == x) return x;  // rounding left nothing else
    (candidate < x ? left : right) = candidate;
  }
}

// One chain of the Gibbs sampler, in units of the mean standard deviation.
class Chain {
 public:
  // REQUIRES: `data` outlives this.
  Chain(const std::vector<Sufficient>& data, const Bounds& bounds, const HierarchicalPrior& prior,
        double start, std::uint64_t seed)
      : data_(data),
        bounds_(bounds),
        prior_(prior),
        random_(seed),
        scale_(std::min(start, bounds.between / 2)),
        alpha_((prior.lower_alpha + prior.upper_alpha) / 2),
        beta_((prior.lower_beta + prior.upper_beta) / 2),
        extra_(alpha_ / beta_) {
    for (const Sufficient& s : data) {
      deltas_.push_back(s.mean);
      variances_.push_back(s.squares / (s.n * s.within));
      weights_.push_back(1);
      center_ += s.mean / static_cast<double>(data.size());
    }
  }

  void Step() {
    for (std::size_t i = 0; i < data_.size(); ++i) DrawVariance(i);
    DrawScale();
    DrawCenter();
    for (std::size_t i = 0; i < data_.size(); ++i) DrawDelta(i);
    DrawDegrees();
    for (std::size_t i = 0; i < data_.size(); ++i) DrawWeight(i);
  }

  double center() const { return center_; }
  double scale() const { return scale_; }
  double degrees() const { return 1 + extra_; }

 private:
  // sigma_i^2, with a uniform prior of sigma_i, on the scale of its logarithm.
  void DrawVariance(std::size_t i) {
    const Sufficient& s = data_[i];
    const double offset = s.mean - deltas_[i];
    const double squares = s.squares / s.within + offset * offset / s.between;
    const auto log_density = [&](double log_variance) {
      return ((1 - s.n) * log_variance - squares * std::exp(-log_variance)) / 2;
    };
    const double most = 2 * std::log(bounds_.within);
    const double from = std::min(std::log(variances_[i]), most - 1e-9);
    variances_[i] = std::exp(DrawBySlice(from, kSmallestLog, most, 1, random_, log_density));
  }

  // The variance of the mean of data set i around delta_0, given sigma_0.
  double MeanVariance(std::size_t i, double scale) const {
    return scale * scale / weights_[i] + variances_[i] * data_[i].between;
  }

  // sigma_0, with the delta_i integrated out, on the scale of its logarithm.
  void DrawScale() {
    const auto log_density = [this](double log_scale) {
      double sum = log_scale;
      for (std::size_t i = 0; i < data_.size(); ++i) {
        const double variance = MeanVariance(i, std::exp(log_scale));
        const double offset = data_[i].mean - center_;
        sum -= (std::log(variance) + offset * offset / variance) / 2;
      }
      return sum;
    };
    scale_ = std::exp(DrawBySlice(std::log(scale_), kSmallestLog, std::log(bounds_.between), 1,
                                  random_, log_density));
  }

  // delta_0, with the delta_i integrated out.
  void DrawCenter() {
    double precision = 0, weighted = 0;
    for (std::size_t i = 0; i < data_.size(); ++i) {
      const double one = 1 / MeanVariance(i, scale_);
      precision += one;
      weighted += one * data_[i].mean;
    }
    const auto log_density = [&](double center) {
      const double offset = center - weighted / precision;
      return -precision * offset * offset / 2;
    };
    center_ = DrawBySlice(std::clamp(center_, -bounds_.mean, bounds_.mean), -bounds_.mean,
                          bounds_.mean, 2 / std::sqrt(precision), random_, log_density);
  }

  void DrawDelta(std::size_t i) {
    const double own = 1 / (variances_[i] * data_[i].between);
    const double shared = weights_[i] / (scale_ * scale_);
    deltas_[i] = (own * data_[i].mean + shared * center_) / (own + shared) +
                 random_.Normal() / std::sqrt(own + shared);
  }

  double StandardSquare(std::size_t i) const {
    const double z = (deltas_[i] - center_) / scale_;
    return z * z;
  }

  // nu - 1, with the weights integrated out, on the scale of its logarithm; then its prior.
  void DrawDegrees() {
    const auto log_density = [this](double log_extra) {
      const double extra = std::exp(log_extra), nu = 1 + extra;
      double sum = alpha_ * log_extra - beta_ * extra;
      sum += static_cast<double>(data_.size()) *
             (LogGamma((nu + 1) / 2) - LogGamma(nu / 2) - std::log(nu) / 2);
      for (std::size_t i = 0; i < data_.size(); ++i) {
        sum -= (nu + 1) / 2 * std::log1p(StandardSquare(i) / nu);
      }
      return sum;
    };
    constexpr double kLargestLog = 20;
    extra_ =
        std::exp(DrawBySlice(std::log(extra_), -kLargestLog, kLargestLog, 2, random_, log_density));
    const auto of_alpha = [this](double alpha) {
      return alpha * std::log(beta_ * extra_) - LogGamma(alpha);
    };
    const auto of_beta = [this](double beta) { return alpha_ * std::log(beta) - beta * extra_; };
    alpha_ = DrawWithin(alpha_, prior_.lower_alpha, prior_.upper_alpha, of_alpha);
    beta_ = DrawWithin(beta_, prior_.lower_beta, prior_.upper_beta, of_beta);
  }

  double DrawWithin(double x, double low, double high, const std::function<double(double)>& f) {
    return low == high ? x : DrawBySlice(x, low, high, high - low, random_, f);
  }

  void DrawWeight(std::size_t i) {
    const double nu = degrees();
    weights_[i] = DrawGamma((nu + 1) / 2, random_) / ((nu + StandardSquare(i)) / 2);
  }

  const std::vector<Sufficient>& data_;
  Bounds bounds_;
  HierarchicalPrior prior_;
  plugin::Random random_;
  double center_ = 0, scale_;    // delta_0, sigma_0
  double alpha_, beta_, extra_;  // extra = nu - 1
  std::vector<double> deltas_, variances_, weights_;
};

// Potential scale reduction of sequences of one length.
double ScaleReduction(const std::vector<std::span<const double>>& sequences) {
  const auto m = static_cast<double>(sequences.size());
  const auto n = static_cast<double>(sequences.front().size());
  std::vector<double> means;
  double within = 0, all = 0;
  for (const auto& sequence : sequences) {
    double mean = 0, squares = 0;
    for (const double x : sequence) mean += x / n;
    for (const double x : sequence) squares += (x - mean) * (x - mean);
    means.push_back(mean);
    within += squares / (n - 1) / m;
    all += mean / m;
  }
  double between = 0;
  for (const double mean : means) between += n * (mean - all) * (mean - all) / (m - 1);
  return std::sqrt(((n - 1) / n * within + between / n) / within);
}

// Draws of all chains, one after the other.
struct Draws {
  std::vector<double> centers, log_scales, degrees;

  double Rhat() const { return std::max(Reduction(centers), Reduction(log_scales)); }

 private:
  static double Reduction(const std::vector<double>& draws) {
    const std::size_t half = draws.size() / (2 * kChains);
    std::vector<std::span<const double>> sequences;
    for (std::size_t k = 0; k < 2 * kChains; ++k) {
      sequences.push_back(std::span(draws).subspan(k * half, half));
    }
    return ScaleReduction(sequences);
  }
};

Draws Sample(const std::vector<Sufficient>& data, const Bounds& bounds,
             const BayesHierarchicalOptions& options) {
  Draws draws;
  plugin::Random seeds(options.seed);
  const std::int64_t each = options.samples / (2 * kChains) * 2;
  for (std::int64_t c = 0; c < kChains; ++c) {
    // Of the scale between: around that of the means.
    const double start =
        bounds.between / kBoundFactor * std::pow(4.0, static_cast<double>(c) - 1.5);
    Chain chain(data, bounds, options.prior, start, seeds.Next());
    for (std::int64_t s = -kBurnIn; s < each; ++s) {
      StopIfCancelled(options.cancel);
      chain.Step();
      if (s < 0) continue;
      draws.centers.push_back(chain.center());
      draws.log_scales.push_back(std::log(chain.scale()));
      draws.degrees.push_back(chain.degrees());
    }
  }
  return draws;
}

// The probabilities that the mean of the next data set is below, in and above the region.
std::array<double, 3> RegionProbabilities(const Draws& draws, std::size_t s, double rope) {
  const double scale = std::exp(draws.log_scales[s]);
  const double below = StudentCdf((-rope - draws.centers[s]) / scale, draws.degrees[s]);
  const double above = StudentUpper((rope - draws.centers[s]) / scale, draws.degrees[s]);
  return {below, rope > 0 ? std::max(0.0, 1 - below - above) : 0, above};
}

void CountSamples(const Draws& draws, double rope, std::int64_t kept, BayesHierarchicalTest& test) {
  const std::size_t n = draws.centers.size();
  std::array<double, 3> wins{};
  for (std::size_t s = 0; s < n; ++s) {
    const std::array<double, 3> regions = RegionProbabilities(draws, s, rope);
    const double most = *std::max_element(regions.begin(), regions.end());
    const auto winners = static_cast<double>(std::count(regions.begin(), regions.end(), most));
    for (std::size_t r = 0; r < 3; ++r) wins[r] += regions[r] == most ? 1 / winners : 0;
    if (IsKept(static_cast<std::int64_t>(s), static_cast<std::int64_t>(n), kept)) {
      test.points.push_back(regions);
    }
  }
  test.left = wins[0] / static_cast<double>(n);
  test.rope = wins[1] / static_cast<double>(n);
  test.right = wins[2] / static_cast<double>(n);
}

std::string FindReason(std::span<const FoldDifferences> datasets, double scale, double rope) {
  if (datasets.size() < 3) {
    return "there are " + std::to_string(datasets.size()) +
           " data sets; the scale between data sets needs at least 3";
  }
  if (scale == 0) return "no data set has differences that differ";
  if (rope > 0) return "";
  for (std::size_t i = 0; i < datasets.size(); ++i) {
    if (SufficientOf(datasets[i], 1, 0).squares > 0) continue;
    return "all differences of data set " + std::to_string(i + 1) +
           " are equal; a rope above 0 allows that";
  }
  return "";
}

Bounds BoundsOf(const std::vector<Sufficient>& data, std::span<const FoldDifferences> datasets,
                double scale) {
  Bounds bounds{0, 0, 0};
  std::vector<double> means;
  for (std::size_t i = 0; i < data.size(); ++i) {
    for (const double value : datasets[i].values) {
      bounds.mean = std::max(bounds.mean, std::fabs(value) / scale);
    }
    bounds.within +=
        kBoundFactor * std::sqrt(data[i].squares / data[i].n) / static_cast<double>(data.size());
    means.push_back(data[i].mean);
  }
  bounds.between = kBoundFactor * Summarize(means).sd;
  if (bounds.between == 0) bounds.between = bounds.within;
  return bounds;
}

}  // namespace

BayesHierarchicalTest BayesHierarchical(std::span<const FoldDifferences> datasets,
                                        const BayesHierarchicalOptions& options) {
  CheckHierarchical(datasets, options);
  BayesHierarchicalTest test;
  test.n = static_cast<std::int64_t>(datasets.size());
  double scale = 0;
  for (const FoldDifferences& data : datasets) {
    const Sufficient s = SufficientOf(data, 1, 0);
    scale += std::sqrt(s.squares / s.n) / static_cast<double>(datasets.size());
  }
  test.undefined = FindReason(datasets, scale, options.rope);
  if (!test.undefined.empty()) return test;
  std::vector<Sufficient> data;
  for (const FoldDifferences& one : datasets) {
    data.push_back(SufficientOf(one, scale, options.rope));
  }
  const Draws draws = Sample(data, BoundsOf(data, datasets, scale), options);
  test.rhat = draws.Rhat();
  if (!(test.rhat <= kLargestRhat)) {
    test.undefined = "the chains of the sampler disagree (potential scale reduction " +
                     FormatShortest(test.rhat) + "); use more samples";
    return test;
  }
  CountSamples(draws, options.rope / scale, options.points, test);
  test.mean = scale * MeanOf(draws.centers);
  test.sd = scale * std::exp(Summarize(draws.log_scales).median);
  test.defined = true;
  return test;
}

}  // namespace crossfold::stats
