// Which of many stumps is best: impurities of whole units of weight, compared up to rounding, with
// the same winner in whatever order the stumps come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace crossfold::bundled::adaboost {

// Rows whose rank in the column is at most `cut` go left.
struct StumpCut {
  std::size_t feature = 0;
  std::uint32_t cut = 0;
  std::uint32_t next = 0;  // the next rank that a row with a weight has: the threshold is between
};

// Sums of weights in whole units are exact.
using StumpUnits = std::int64_t;
inline constexpr double kStumpUnitsPerWeight = 0x1p62;
// A class with less than this has too few units to compare impurities as finely as kEqualStumpGain
// says.
inline constexpr StumpUnits kLeastUnitsOfClass = StumpUnits{1} << 42;
// Impurities that differ by less than this share of the node's are equal, as in tree::Grow.
inline constexpr double kEqualStumpGain = 1e-12;
// The error allowed in a bound, as a share of the weight of all rows: far above any rounding.
inline constexpr double kStumpSlack = 1e-12;

// Of two classes, side by side in one register where the machine has such. (By itself the compiler
// would put two rows side by side.)
using TwoStumpUnits __attribute__((vector_size(16))) = StumpUnits;
struct StumpPair {
  TwoStumpUnits units{0, 0};
  StumpUnits first() const { return units[0]; }
  StumpUnits second() const { return units[1]; }
};

// The best splits so far, up to what counts as equal.
class StumpLeaders {
 public:
  // A split needs an impurity that is below that of the node.
  StumpLeaders(double impurity_of_node, double weight)
      : tolerance_(kEqualStumpGain * impurity_of_node),
        slack_(kStumpSlack * weight),
        limit_(impurity_of_node - tolerance_),
        best_(limit_) {
    SetCeiling();
  }

  // A value not below it cannot win, even if it was rounded.
  double ceiling() const { return ceiling_; }

  void Enter(double impurity, std::uint32_t feature, std::uint32_t cut) {
    if (!(impurity < limit_) || impurity > best_ + tolerance_) return;
    if (impurity < best_ - tolerance_) leaders_.clear();
    leaders_.push_back({impurity, feature, cut});
    if (!(impurity < best_)) return;
    best_ = impurity;
    SetCeiling();
  }

  std::optional<StumpCut> Winner() const {
    const Leader* winner = nullptr;
    for (const Leader& l : leaders_) {
      if (l.impurity > best_ + tolerance_) continue;
      if (winner == nullptr || l.feature < winner->feature ||
          (l.feature == winner->feature && l.cut < winner->cut)) {
        winner = &l;
      }
    }
    if (winner == nullptr) return std::nullopt;
    return StumpCut{winner->feature, winner->cut, winner->cut + 1};
  }

 private:
  struct Leader {
    double impurity;
    std::uint32_t feature, cut;
  };

  void SetCeiling() { ceiling_ = best_ + tolerance_ + slack_; }

  double tolerance_, slack_, limit_, best_, ceiling_ = 0;
  std::vector<Leader> leaders_;
};

// Splits of rows of two classes. Gini's impurity of weights x and y, times their sum, is
// x + y - (xx + yy) / (x + y) = 2 xy / (x + y).
class TwoClassContest {
 public:
  explicit TwoClassContest(StumpPair total)
      : total_(total),
        first_(static_cast<double>(total.first())),
        second_(static_cast<double>(total.second())),
        leaders_(2 * first_ * second_ / (first_ + second_), first_ + second_) {}

  // Whether a side of these weights can lead, with a margin for the rounding. No division.
  bool MayLead(double x, double y) const {
    const double other_x = first_ - x, other_y = second_ - y;
    const double weight = x + y, other_weight = other_x + other_y;
    return 2 * (x * y * other_weight + other_x * other_y * weight) <
           leaders_.ceiling() * weight * other_weight;
  }

  // Whether a side that grows from `from` to `to` may lead on its way.
  bool MayLeadBetween(StumpPair from, StumpPair to) const {
    return MayLead(static_cast<double>(from.first()), static_cast<double>(to.second())) ||
           MayLead(static_cast<double>(to.first()), static_cast<double>(from.second()));
  }

  void Try(std::uint32_t feature, std::uint32_t cut, StumpPair side) {
    const auto x = static_cast<double>(side.first()), y = static_cast<double>(side.second());
    if (!MayLead(x, y)) return;
    const auto other_x = static_cast<double>(total_.first() - side.first());
    const auto other_y = static_cast<double>(total_.second() - side.second());
    if (x + y <= 0 || other_x + other_y <= 0) return;
    leaders_.Enter(2 * (x * y / (x + y)) + 2 * (other_x * other_y / (other_x + other_y)), feature,
                   cut);
  }

  const StumpLeaders& leaders() const { return leaders_; }

 private:
  StumpPair total_;
  double first_, second_;
  StumpLeaders leaders_;
};

// Splits of rows of any number of classes.
class ManyClassContest {
 public:
  explicit ManyClassContest(std::span<const StumpUnits> totals)
      : totals_(totals), leaders_(ImpurityOf(totals), WeightOf(totals)) {}

  void Try(std::uint32_t feature, std::uint32_t cut, std::span<const StumpUnits> side) {
    double weight = 0, squares = 0, other_weight = 0, other_squares = 0;
    for (std::size_t c = 0; c < side.size(); ++c) {
      const auto x = static_cast<double>(side[c]),
                 other = static_cast<double>(totals_[c] - side[c]);
      weight += x;
      squares += x * x;
      other_weight += other;
      other_squares += other * other;
    }
    if (weight <= 0 || other_weight <= 0) return;
    leaders_.Enter((weight - squares / weight) + (other_weight - other_squares / other_weight),
                   feature, cut);
  }

  const StumpLeaders& leaders() const { return leaders_; }

 private:
  static double WeightOf(std::span<const StumpUnits> sums) {
    double weight = 0;
    for (const StumpUnits x : sums) weight += static_cast<double>(x);
    return weight;
  }
  static double ImpurityOf(std::span<const StumpUnits> sums) {
    double squares = 0;
    for (const StumpUnits x : sums) squares += static_cast<double>(x) * static_cast<double>(x);
    return WeightOf(sums) - squares / WeightOf(sums);
  }

  std::span<const StumpUnits> totals_;
  StumpLeaders leaders_;
};

}  // namespace crossfold::bundled::adaboost
