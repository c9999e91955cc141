// Splits on linear combinations, by moving one coefficient at a time: S. K. Murthy, S. Kasif and
// S. Salzberg, "A system for induction of oblique decision trees", JAIR 2 (1994), section 3.1.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "crossfold_plugin/random.hpp"
#include "split_search.h"
#include "sweep.h"

namespace crossfold::bundled::tree {

namespace {

constexpr int kMaxSweeps = 20;

// A row goes left if sum of coefficient x point <= threshold.
struct Plane {
  std::vector<double> coefficients;
  double threshold = 0;
  double impurity = std::numeric_limits<double>::infinity();
};

template <class Impurity>
class ObliqueSearch {
 public:
  ObliqueSearch(const Impurity& impurity, const Target& target, const ObliqueProblem& problem)
      : impurity_(impurity), target_(target), problem_(problem), points_(problem.points) {
    Standardise();
  }

  ObliqueCut Run() {
    Plane best;
    plugin::Random random(problem_.seed);
    if (problem_.start) Improve(FromStart(), best);
    for (std::int64_t r = 0; r < problem_.restarts; ++r) {
      Plane plane;
      for (std::size_t j = 0; j < width(); ++j) plane.coefficients.push_back(random.Normal());
      Improve(std::move(plane), best);
    }
    return Finished(best);
  }

 private:
  std::size_t width() const { return problem_.features.size(); }
  std::size_t num_rows() const { return problem_.rows.size(); }
  const double* point(std::size_t i) const { return points_.data() + i * width(); }
  double Height(const Plane& plane, std::size_t i) const {
    return std::inner_product(plane.coefficients.begin(), plane.coefficients.end(), point(i), 0.0);
  }

  // Every feature to the range -1 .. 1 over these rows; a constant one to 0.
  void Standardise() {
    for (std::size_t j = 0; j < width(); ++j) {
      double low = points_[j], high = points_[j];
      for (std::size_t i = 0; i < num_rows(); ++i) {
        low = std::min(low, points_[i * width() + j]);
        high = std::max(high, points_[i * width() + j]);
      }
      middle_.push_back(low / 2 + high / 2);
      radius_.push_back(high / 2 - low / 2);
      for (std::size_t i = 0; i < num_rows(); ++i) {
        double& x = points_[i * width() + j];
        x = radius_[j] > 0 ? (x - middle_[j]) / radius_[j] : 0;
      }
    }
  }

  Plane FromStart() const {
    Plane plane;
    plane.coefficients.assign(width(), 0.0);
    for (std::size_t j = 0; j < width(); ++j) {
      if (problem_.features[j] == problem_.start->feature) plane.coefficients[j] = 1;
    }
    return plane;
  }

  void Improve(Plane plane, Plane& best) {
    MoveThreshold(plane);
    for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
      const double before = plane.impurity;
      for (std::size_t j = 0; j < width(); ++j) MoveCoefficient(plane, j);
      MoveThreshold(plane);
      if (!(plane.impurity < before - problem_.tolerance)) break;
    }
    if (plane.impurity < best.impurity - problem_.tolerance) best = std::move(plane);
  }

  using Place = std::pair<double, std::size_t>;  // where a row changes sides, and the row

  void MoveThreshold(Plane& plane) {
    places_.clear();
    for (std::size_t i = 0; i < num_rows(); ++i) places_.push_back({Height(plane, i), i});
    std::sort(places_.begin(), places_.end());
    Sweep<Impurity> sweep = NewSweep();
    for (std::size_t k = 0; k + 1 < places_.size(); ++k) {
      Add(sweep, places_[k].second, 1);
      if (places_[k].first < places_[k + 1].first) sweep.Offer(k);
    }
    if (sweep.n_tried() == 0 || !(sweep.best() < plane.impurity - problem_.tolerance)) return;
    plane.impurity = sweep.best();
    plane.threshold = Between(sweep.cut());
  }

  // As the coefficient of feature j grows from minus to plus infinity, each row with a nonzero
  // entry changes sides once; the best place between two changes is kept.
  void MoveCoefficient(Plane& plane, std::size_t j) {
    places_.clear();
    Sweep<Impurity> sweep = NewSweep();
    for (std::size_t i = 0; i < num_rows(); ++i) {
      const double x = point(i)[j];
      const double rest = Height(plane, i) - plane.coefficients[j] * x;
      if (x == 0) {
        if (rest <= plane.threshold) Add(sweep, i, 1);
        continue;
      }
      if (x > 0) Add(sweep, i, 1);
      places_.push_back({(plane.threshold - rest) / x, i});
    }
    std::sort(places_.begin(), places_.end());
    for (std::size_t k = 0; k + 1 < places_.size(); ++k) {
      const std::size_t row = places_[k].second;
      Add(sweep, row, point(row)[j] > 0 ? -1 : 1);
      if (places_[k].first < places_[k + 1].first) sweep.Offer(k);
    }
    if (sweep.n_tried() == 0 || !(sweep.best() < plane.impurity - problem_.tolerance)) return;
    plane.impurity = sweep.best();
    plane.coefficients[j] = Between(sweep.cut());
  }

  Sweep<Impurity> NewSweep() const {
    return Sweep<Impurity>(impurity_, problem_.total, problem_.min_side, problem_.tolerance);
  }
  void Add(Sweep<Impurity>& sweep, std::size_t i, double sign) const {
    const std::uint32_t row = problem_.rows[i];
    target_.Add<Impurity::kClasses>(sweep.left(), row, sign * problem_.weight_of_row[row]);
  }
  double Between(std::size_t k) const { return places_[k].first / 2 + places_[k + 1].first / 2; }

  // Converts the cut to the units of the data and applies it to the rows, because rounding may move
  // one.
  ObliqueCut Finished(const Plane& plane) const {
    ObliqueCut cut;
    if (!std::isfinite(plane.impurity)) return cut;
    cut.threshold = plane.threshold;
    for (std::size_t j = 0; j < width(); ++j) {
      if (plane.coefficients[j] == 0 || radius_[j] == 0) continue;
      cut.terms.push_back({problem_.features[j], plane.coefficients[j] / radius_[j]});
      cut.threshold += plane.coefficients[j] * middle_[j] / radius_[j];
    }
    if (!Measure(cut)) cut.terms.clear();
    return cut;
  }

  // False if the sides of the finished cut are too small or not finite.
  bool Measure(ObliqueCut& cut) const {
    std::vector<double> left(problem_.total.size(), 0.0), right(left);
    for (std::size_t i = 0; i < num_rows(); ++i) {
      double sum = 0;
      std::size_t t = 0;
      for (std::size_t j = 0; j < width() && t < cut.terms.size(); ++j) {
        if (problem_.features[j] != cut.terms[t].feature) continue;
        sum += cut.terms[t++].coefficient * problem_.points[i * width() + j];
      }
      if (!std::isfinite(sum)) return false;
      const std::uint32_t row = problem_.rows[i];
      target_.Add<Impurity::kClasses>(sum <= cut.threshold ? left.data() : right.data(), row,
                                      problem_.weight_of_row[row]);
    }
    cut.left_weight = WeightOf<Impurity>(left.data(), left.size());
    cut.right_weight = WeightOf<Impurity>(right.data(), right.size());
    cut.impurity = impurity_(left.data(), left.size()) + impurity_(right.data(), right.size());
    const double least = std::max(problem_.min_side - kWeightSlack, 0.0);
    return cut.left_weight > 0 && cut.right_weight > 0 && cut.left_weight >= least &&
           cut.right_weight >= least;
  }

  const Impurity& impurity_;
  const Target& target_;
  const ObliqueProblem& problem_;
  std::vector<double> points_;  // standardised
  std::vector<double> middle_, radius_;
  std::vector<Place> places_;
};

}  // namespace

template <class Impurity>
ObliqueCut BestOblique(const Impurity& impurity, const Target& target,
                       const ObliqueProblem& problem) {
  return ObliqueSearch<Impurity>(impurity, target, problem).Run();
}

template ObliqueCut BestOblique(const EntropyImpurity&, const Target&, const ObliqueProblem&);
template ObliqueCut BestOblique(const GiniImpurity&, const Target&, const ObliqueProblem&);
template ObliqueCut BestOblique(const VarianceImpurity&, const Target&, const ObliqueProblem&);

}  // namespace crossfold::bundled::tree
