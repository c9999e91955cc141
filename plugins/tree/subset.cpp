// The best cut of the levels of a nominal column in two sets.
//
// With two classes, or in regression, the levels are ordered by the share of the second class or by
// the mean target; one of the cuts of that order is best (Breiman, Friedman, Olshen and Stone 1984,
// theorem 4.5). With more classes every cut of up to 10 levels is tried. Beyond, the cuts of these
// orders: along the first principal component of the levels' class shares (Coppersmith, Hong and
// Hosking 1999), and by the share of each class.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "split_search.h"
#include "sweep.h"

namespace crossfold::bundled::tree {

namespace {

constexpr std::size_t kMaxExhaustive = 10;

template <class Impurity>
class SubsetSearch {
 public:
  SubsetSearch(const Impurity& impurity, std::span<const double> bins,
               std::span<const double> total, double min_side, double tolerance)
      : impurity_(impurity),
        bins_(bins),
        total_(total),
        size_(total.size()),
        min_side_(min_side),
        tolerance_(tolerance) {
    best_.impurity = std::numeric_limits<double>::infinity();
    for (std::size_t level = 0; level * size_ < bins.size(); ++level) {
      if (WeightOf<Impurity>(Sums(level), size_) > 0) levels_.push_back(level);
    }
  }

  SubsetCut Run() {
    if (levels_.size() < 2) return {};
    const std::vector<std::size_t> classes = ClassesHere();
    if (!Impurity::kClasses || classes.size() <= 2) {
      TryOrder(
          [&](std::size_t level) { return Share(level, classes.empty() ? 1 : classes.back()); });
    } else if (levels_.size() <= kMaxExhaustive) {
      TryAll();
    } else {
      const std::vector<double> axis = PrincipalAxis();
      TryOrder([&](std::size_t level) { return Project(level, axis); });
      for (const std::size_t c : classes) {
        TryOrder([&](std::size_t level) { return Share(level, c); });
      }
    }
    return std::move(best_);
  }

 private:
  const double* Sums(std::size_t level) const { return bins_.data() + level * size_; }
  // Of the class, or the mean target: sums are then weight and weighted sum.
  double Share(std::size_t level, std::size_t c) const {
    return Sums(level)[c] / WeightOf<Impurity>(Sums(level), size_);
  }

  std::vector<std::size_t> ClassesHere() const {
    std::vector<std::size_t> classes;
    for (std::size_t c = 0; Impurity::kClasses && c < size_; ++c) {
      if (total_[c] > 0) classes.push_back(c);
    }
    return classes;
  }

  template <class KeyOf>
  void TryOrder(KeyOf&& key_of) {
    std::vector<std::pair<double, std::size_t>> order;
    for (const std::size_t level : levels_) order.push_back({key_of(level), level});
    std::sort(order.begin(), order.end());
    Sweep<Impurity> sweep(impurity_, total_, min_side_, tolerance_);
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      sweep.AddLeft(Sums(order[i].second));
      sweep.Offer(i);
    }
    if (sweep.n_tried() == 0 || !(sweep.best() < best_.impurity - tolerance_)) return;
    std::vector<std::uint8_t> sides = NoSides();
    for (std::size_t i = 0; i < order.size(); ++i) {
      sides[order[i].second] = i <= sweep.cut() ? 0 : 1;
    }
    Keep(sweep.best(), std::move(sides));
  }

  void TryAll() {
    // Bit i of a mask: level i + 1 goes right. The first level always goes left.
    const std::uint64_t end = std::uint64_t{1} << (levels_.size() - 1);
    for (std::uint64_t mask = 1; mask < end; ++mask) {
      Sweep<Impurity> sweep(impurity_, total_, min_side_, tolerance_);
      std::vector<std::uint8_t> sides = NoSides();
      for (std::size_t i = 0; i < levels_.size(); ++i) {
        const bool right = i > 0 && ((mask >> (i - 1)) & 1) != 0;
        sides[levels_[i]] = right ? 1 : 0;
        if (!right) sweep.AddLeft(Sums(levels_[i]));
      }
      sweep.Offer(0);
      if (sweep.best() < best_.impurity - tolerance_) Keep(sweep.best(), std::move(sides));
    }
  }

  std::vector<std::uint8_t> NoSides() const {
    return std::vector<std::uint8_t>(bins_.size() / size_, kNoSide);
  }

  // The first level that is there is written as left, however it was found.
  void Keep(double impurity, std::vector<std::uint8_t> sides) {
    if (sides[levels_.front()] == 1) {
      for (const std::size_t level : levels_)
        sides[level] = static_cast<std::uint8_t>(1 - sides[level]);
    }
    best_ = {impurity, std::move(sides)};
  }

  double Project(std::size_t level, const std::vector<double>& axis) const {
    double sum = 0;
    for (std::size_t c = 0; c < size_; ++c) sum += Share(level, c) * axis[c];
    return sum;
  }

  // By power iteration on the weighted covariance of the class shares.
  std::vector<double> PrincipalAxis() const {
    const double weight = WeightOf<Impurity>(total_.data(), size_);
    std::vector<double> axis(size_);
    for (std::size_t c = 0; c < size_; ++c) axis[c] = 1.0 / static_cast<double>(c + 1);
    for (int step = 0; step < 200; ++step) {
      std::vector<double> next(size_, 0.0);
      for (const std::size_t level : levels_) {
        const double level_weight = WeightOf<Impurity>(Sums(level), size_);
        double along = 0;
        for (std::size_t c = 0; c < size_; ++c) {
          along += (Share(level, c) - total_[c] / weight) * axis[c];
        }
        for (std::size_t c = 0; c < size_; ++c) {
          next[c] += level_weight * along * (Share(level, c) - total_[c] / weight);
        }
      }
      const double length =
          std::sqrt(std::inner_product(next.begin(), next.end(), next.begin(), 0.0));
      if (!(length > 0)) return axis;
      for (std::size_t c = 0; c < size_; ++c) axis[c] = next[c] / length;
    }
    return axis;
  }

  const Impurity& impurity_;
  std::span<const double> bins_, total_;
  std::size_t size_;
  double min_side_, tolerance_;
  std::vector<std::size_t> levels_;  // with rows at the node
  SubsetCut best_;
};

}  // namespace

template <class Impurity>
SubsetCut BestSubset(const Impurity& impurity, std::span<const double> bins,
                     std::span<const double> total, double min_side, double tolerance) {
  return SubsetSearch<Impurity>(impurity, bins, total, min_side, tolerance).Run();
}

template SubsetCut BestSubset(const EntropyImpurity&, std::span<const double>,
                              std::span<const double>, double, double);
template SubsetCut BestSubset(const GiniImpurity&, std::span<const double>, std::span<const double>,
                              double, double);
template SubsetCut BestSubset(const VarianceImpurity&, std::span<const double>,
                              std::span<const double>, double, double);

}  // namespace crossfold::bundled::tree
