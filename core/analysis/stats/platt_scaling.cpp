#include "crossfold/stats/platt_scaling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "analysis/stats/class_scores.h"
#include "crossfold_plugin/compensated_sum.hpp"

namespace crossfold::stats {
namespace {

constexpr int kMaxSteps = 200;
constexpr double kSmallestStep = 0x1p-40;
constexpr double kFlatGradient = 1e-15;  // for a total weight of 1

// Rows that count. Scores are shifted and scaled to mean 0 and variance 1, and weights to sum 1, so
// that the size of the numbers does not matter.
struct Rows {
  std::vector<double> z, target, weight;
  double mean = 0, sd = 0;
};

// ln(1 + e^x)
double SoftPlus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x))); }

double Sigmoid(double x) {
  if (x >= 0) return 1 / (1 + std::exp(-x));
  const double e = std::exp(x);
  return e / (1 + e);
}

double WeightOf(std::span<const double> weights, std::size_t row) {
  return weights.empty() ? 1 : weights[row];
}

void Standardize(Rows& rows) {
  const auto [low, high] = std::minmax_element(rows.z.begin(), rows.z.end());
  const bool equal = *low == *high;
  plugin::CompensatedSum sum, squares;
  for (std::size_t i = 0; i < rows.z.size(); ++i) sum.Add(rows.weight[i] * rows.z[i]);
  rows.mean = equal ? *low : sum.value();
  for (std::size_t i = 0; i < rows.z.size(); ++i) {
    rows.z[i] -= rows.mean;
    squares.Add(rows.weight[i] * rows.z[i] * rows.z[i]);
  }
  rows.sd = equal ? 0 : std::sqrt(squares.value());
  if (!(rows.sd > 0)) return;
  for (double& z : rows.z) z /= rows.sd;
}

Rows Prepare(std::span<const double> scores, std::span<const std::uint8_t> positive,
             std::span<const double> weights, const ClassWeights& totals) {
  Rows rows;
  const double total = totals.negative + totals.positive;
  const double of_positive = (totals.positive + 1) / (totals.positive + 2);
  const double of_negative = 1 / (totals.negative + 2);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double weight = WeightOf(weights, i);
    if (!(weight > 0)) continue;
    rows.z.push_back(scores[i]);
    rows.target.push_back(positive[i] != 0 ? of_positive : of_negative);
    rows.weight.push_back(weight / total);
  }
  Standardize(rows);
  return rows;
}

// The cross entropy for f = a z + b: -t ln s(f) - (1 - t) ln(1 - s(f)) = softplus(f) - t f, written
// without cancellation.
double Loss(const Rows& rows, double a, double b) {
  plugin::CompensatedSum loss;
  for (std::size_t i = 0; i < rows.z.size(); ++i) {
    const double f = a * rows.z[i] + b, t = rows.target[i];
    loss.Add(rows.weight[i] * (t * SoftPlus(-f) + (1 - t) * SoftPlus(f)));
  }
  return loss.value();
}

struct Slopes {
  double da = 0, db = 0, daa = 0, dab = 0, dbb = 0;
};

Slopes Differentiate(const Rows& rows, double a, double b) {
  std::array<plugin::CompensatedSum, 5> sums;
  for (std::size_t i = 0; i < rows.z.size(); ++i) {
    const double z = rows.z[i], f = a * z + b, w = rows.weight[i];
    const double residual = w * (Sigmoid(f) - rows.target[i]);
    const double curvature = w * Sigmoid(f) * Sigmoid(-f);
    sums[0].Add(residual * z);
    sums[1].Add(residual);
    sums[2].Add(curvature * z * z);
    sums[3].Add(curvature * z);
    sums[4].Add(curvature);
  }
  return {sums[0].value(), sums[1].value(), sums[2].value(), sums[3].value(), sums[4].value()};
}

double Steepness(const Slopes& d) { return std::max(std::fabs(d.da), std::fabs(d.db)); }

// One Newton step from (a, b), halved until the loss falls; false at the minimum. Next to the
// minimum, where rounding hides the fall of the loss, a flatter gradient is as good.
bool Step(const Rows& rows, double& a, double& b) {
  constexpr double kRidge = 1e-12;  // keeps the matrix regular, as in Lin et al.
  const Slopes d = Differentiate(rows, a, b);
  if (Steepness(d) <= kFlatGradient) return false;
  const double haa = d.daa + kRidge, hbb = d.dbb + kRidge;
  const double determinant = haa * hbb - d.dab * d.dab;
  const double step_a = -(hbb * d.da - d.dab * d.db) / determinant;
  const double step_b = -(haa * d.db - d.dab * d.da) / determinant;
  const double before = Loss(rows, a, b), descent = d.da * step_a + d.db * step_b;
  for (double size = 1; size >= kSmallestStep; size /= 2) {
    const double next_a = a + size * step_a, next_b = b + size * step_b;
    if (Loss(rows, next_a, next_b) >= before + 1e-4 * size * descent &&
        2 * Steepness(Differentiate(rows, next_a, next_b)) > Steepness(d)) {
      continue;
    }
    a = next_a;
    b = next_b;
    return true;
  }
  return false;  // nothing that rounding would show any more
}

// The best constant: the log-odds of the mean target.
double ConstantLogOdds(const Rows& rows) {
  plugin::CompensatedSum mean;
  for (std::size_t i = 0; i < rows.target.size(); ++i) mean.Add(rows.weight[i] * rows.target[i]);
  return std::log(mean.value()) - std::log1p(-mean.value());
}

}  // namespace

PlattScaling FitPlattScaling(std::span<const double> scores, std::span<const std::uint8_t> positive,
                             std::span<const double> weights) {
  const ClassWeights totals = CheckClassScores("scale scores", scores, positive, weights);
  PlattScaling scaling;
  scaling.undefined = MissingClass(totals);
  if (!scaling.undefined.empty()) return scaling;
  scaling.defined = true;
  const Rows rows = Prepare(scores, positive, weights, totals);
  double a = 0, b = ConstantLogOdds(rows);
  if (rows.sd > 0) {
    for (int step = 0; step < kMaxSteps && Step(rows, a, b); ++step) {
    }
    a /= rows.sd;
    b -= a * rows.mean;
  }
  scaling.slope = a;
  scaling.intercept = b;
  return scaling;
}

double Probability(const PlattScaling& scaling, double score) {
  return Sigmoid(scaling.slope * score + scaling.intercept);
}

double LogOdds(double p) {
  constexpr double kLowest = 0x1p-50;
  if (!(p >= 0 && p <= 1)) {
    RefuseArgument("take the log-odds", "the probability is " + FormatShortest(p),
                   "give a number from 0 to 1");
  }
  const double kept = std::clamp(p, kLowest, 1 - kLowest);
  return std::log(kept) - std::log1p(-kept);
}

}  // namespace crossfold::stats
