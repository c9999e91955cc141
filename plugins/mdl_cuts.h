// Cut points that separate classes: the entropy method with the description length rule of
// U. M. Fayyad and K. B. Irani, "Multi-interval discretization of continuous-valued attributes for
// classification learning", IJCAI 1993, 1022-1027.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace crossfold::bundled {

// Returns a number x with a <= x < b. REQUIRES: a < b.
inline double CutBetween(double a, double b) {
  const double middle = std::midpoint(a, b);
  return middle < b ? middle : a;
}

// The distinct values of one feature, ascending, with the weight of each class at each of them.
class ValueClasses {
 public:
  // `labels` are class indices below n_classes. REQUIRES: equal lengths, no NaN.
  ValueClasses(std::span<const double> values, std::span<const double> weights,
               std::span<const std::int32_t> labels, std::size_t n_classes)
      : n_classes_(n_classes) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    for (const std::size_t i : order) {
      if (values_.empty() || values_.back() < values[i]) {
        values_.push_back(values[i]);
        weights_.resize(weights_.size() + n_classes);
      }
      const auto label = static_cast<std::size_t>(labels[i]);
      weights_[(values_.size() - 1) * n_classes + label] += weights[i];
    }
  }

  std::size_t size() const { return values_.size(); }
  std::size_t num_classes() const { return n_classes_; }
  double value(std::size_t i) const { return values_[i]; }
  // One entry per class.
  std::span<const double> weights(std::size_t i) const {
    return {weights_.data() + i * n_classes_, n_classes_};
  }

 private:
  std::size_t n_classes_;
  std::vector<double> values_;
  std::vector<double> weights_;  // size() x n_classes_
};

// The rows of one interval of values.
struct IntervalClasses {
  double weight = 0;
  double entropy = 0;  // of the classes, bits
  int n_classes = 0;   // with rows
};

inline IntervalClasses DescribeInterval(std::span<const double> weight_of) {
  IntervalClasses interval;
  for (const double w : weight_of) interval.weight += w;
  for (const double w : weight_of) {
    if (w <= 0) continue;
    ++interval.n_classes;
    interval.entropy -= w / interval.weight * std::log2(w / interval.weight);
  }
  return interval;
}

struct BestCut {
  std::size_t place = 0;  // the first value above the cut
  double mean_entropy = 0;
  IntervalClasses below, above;
};

// Finds the cut with the smallest mean entropy of both sides of the values [first, end); ties go to
// the lower cut. A mean_entropy not below that of `whole` means that no cut helps.
inline BestCut FindBestCut(const ValueClasses& classes, std::size_t first, std::size_t end,
                           std::span<const double> total, const IntervalClasses& whole) {
  constexpr double kTieTolerance = 1e-12;  // bits
  BestCut best;
  best.mean_entropy = whole.entropy;
  std::vector<double> below(total.size()), above(total.size());
  for (std::size_t i = first; i + 1 < end; ++i) {
    for (std::size_t c = 0; c < total.size(); ++c) {
      below[c] += classes.weights(i)[c];
      // Exactly 0 after the last row of a class, because `total` was summed in the same order.
      above[c] = total[c] - below[c];
    }
    const IntervalClasses low = DescribeInterval(below), high = DescribeInterval(above);
    const double mean = (low.weight * low.entropy + high.weight * high.entropy) / whole.weight;
    if (mean < best.mean_entropy - kTieTolerance) best = {i + 1, mean, low, high};
  }
  return best;
}

// Whether the gain of a cut is worth its description length: the criterion of section 3 of the
// paper. The number of examples is the total weight, as weights count as repetitions.
inline bool CutPays(const IntervalClasses& whole, const BestCut& cut) {
  const int k = whole.n_classes;
  const double delta = std::log2(std::pow(3.0, k) - 2) -
                       (k * whole.entropy - cut.below.n_classes * cut.below.entropy -
                        cut.above.n_classes * cut.above.entropy);
  const double gain = whole.entropy - cut.mean_entropy;
  return gain > (std::log2(whole.weight - 1) + delta) / whole.weight;
}

// Ascending. A value is below a cut point if it is at most equal to it.
inline std::vector<double> MdlCuts(const ValueClasses& classes) {
  std::vector<double> cuts;
  std::vector<std::pair<std::size_t, std::size_t>> open = {{0, classes.size()}};
  while (!open.empty()) {
    const auto [first, end] = open.back();
    open.pop_back();
    std::vector<double> total(classes.num_classes());
    for (std::size_t i = first; i < end; ++i) {
      for (std::size_t c = 0; c < total.size(); ++c) total[c] += classes.weights(i)[c];
    }
    const IntervalClasses whole = DescribeInterval(total);
    if (whole.n_classes < 2 || whole.weight <= 1) continue;
    const BestCut cut = FindBestCut(classes, first, end, total, whole);
    if (cut.mean_entropy >= whole.entropy || !CutPays(whole, cut)) continue;
    cuts.push_back(CutBetween(classes.value(cut.place - 1), classes.value(cut.place)));
    open.emplace_back(first, cut.place);
    open.emplace_back(cut.place, end);
  }
  std::sort(cuts.begin(), cuts.end());
  return cuts;
}

// The interval of x among those that the cut points make, counted from 0.
inline std::size_t IntervalOf(std::span<const double> cuts, double x) {
  return static_cast<std::size_t>(std::lower_bound(cuts.begin(), cuts.end(), x) - cuts.begin());
}

}  // namespace crossfold::bundled
