#include "crossfold/stats/isotonic_regression.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/stats/class_scores.h"

namespace crossfold::stats {
namespace {

// Points with the same value: x from `first` to `last`.
struct Block {
  double first, last, weight, sum;
  double mean() const { return sum / weight; }
};

// One block per distinct x, in ascending order.
std::vector<Block> DistinctPoints(std::span<const double> x, std::span<const double> y,
                                  std::span<const double> weights) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
  std::vector<Block> points;
  for (const std::size_t i : order) {
    const double weight = weights.empty() ? 1 : weights[i];
    if (!(weight > 0)) continue;
    if (points.empty() || points.back().last != x[i]) points.push_back({x[i], x[i], 0, 0});
    points.back().weight += weight;
    points.back().sum += weight * y[i];
  }
  return points;
}

// Merges neighbours until the means ascend.
std::vector<Block> PoolViolators(const std::vector<Block>& points) {
  std::vector<Block> blocks;
  for (Block next : points) {
    while (!blocks.empty() && blocks.back().mean() >= next.mean()) {
      const Block& last = blocks.back();
      next = {last.first, next.last, last.weight + next.weight, last.sum + next.sum};
      blocks.pop_back();
    }
    blocks.push_back(next);
  }
  return blocks;
}

// The function through the ends of the blocks.
IsotonicRegression ThroughBlocks(const std::vector<Block>& blocks) {
  IsotonicRegression regression;
  regression.defined = true;
  for (const Block& block : blocks) {
    regression.x.push_back(block.first);
    regression.y.push_back(block.mean());
    if (block.last == block.first) continue;
    regression.x.push_back(block.last);
    regression.y.push_back(block.mean());
  }
  return regression;
}

// The value at x, where `after` is the first knot that is not below x.
double ValueBefore(const IsotonicRegression& regression, std::size_t after, double x) {
  const std::vector<double>& knots = regression.x;
  if (after == knots.size()) return regression.y.back();
  if (after == 0 || knots[after] == x) return regression.y[after];
  const double share = (x - knots[after - 1]) / (knots[after] - knots[after - 1]);
  const double low = regression.y[after - 1], high = regression.y[after];
  return std::min(low + share * (high - low), high);
}

}  // namespace

IsotonicRegression FitIsotonicRegression(std::span<const double> x, std::span<const double> y,
                                         std::span<const double> weights) {
  const std::string attempt = "fit an isotonic regression";
  CheckLengths(attempt, "values", y.size(), x.size());
  CheckFinite(attempt, "x", x);
  CheckFinite(attempt, "value", y);
  CheckWeights(attempt, weights, x.size());
  IsotonicRegression regression;
  const std::vector<Block> points = DistinctPoints(x, y, weights);
  if (points.empty()) {
    regression.undefined = "there are no points";
    return regression;
  }
  return ThroughBlocks(PoolViolators(points));
}

void FitSortedPoints(std::span<const double> x, std::span<const double> sums,
                     std::span<const double> weights, std::vector<double>& fitted) {
  std::vector<Block> points;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (weights[i] > 0) points.push_back({x[i], x[i], weights[i], sums[i]});
  }
  const IsotonicRegression regression = ThroughBlocks(PoolViolators(points));
  fitted.resize(x.size());
  std::size_t after = 0;  // the first knot that is not below x
  for (std::size_t i = 0; i < x.size(); ++i) {
    while (after < regression.x.size() && regression.x[after] < x[i]) ++after;
    fitted[i] = ValueBefore(regression, after, x[i]);
  }
}

double ValueAt(const IsotonicRegression& regression, double x) {
  const auto after = std::lower_bound(regression.x.begin(), regression.x.end(), x);
  return ValueBefore(regression, static_cast<std::size_t>(after - regression.x.begin()), x);
}

}  // namespace crossfold::stats
