#include "stump_finder.h"

#include <algorithm>
#include <limits>

namespace crossfold::bundled::adaboost {
namespace {

constexpr std::size_t kEntriesPerBlock = 32;
constexpr double kUnitsPerWeight = 0x1p62;
// A class with less than this has too few units to compare impurities as finely as kEqualGain says.
constexpr std::int64_t kLeastOfClass = std::int64_t{1} << 42;
// Impurities that differ by less than this share of the node's are equal, as in tree::Grow.
constexpr double kEqualGain = 1e-12;
// The error allowed in a bound, as a share of the weight of all rows: far above any rounding.
constexpr double kSlack = 1e-12;

}  // namespace

// The best splits so far, up to what counts as equal.
class StumpFinder::Leaders {
 public:
  // A split needs an impurity that is below that of the node.
  Leaders(double impurity_of_node, double weight)
      : tolerance_(kEqualGain * impurity_of_node),
        slack_(kSlack * weight),
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
class StumpFinder::TwoClasses {
 public:
  explicit TwoClasses(Pair total)
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
  bool MayLeadBetween(Pair from, Pair to) const {
    return MayLead(static_cast<double>(from.first()), static_cast<double>(to.second())) ||
           MayLead(static_cast<double>(to.first()), static_cast<double>(from.second()));
  }

  void Try(std::uint32_t feature, std::uint32_t cut, Pair side) {
    const auto x = static_cast<double>(side.first()), y = static_cast<double>(side.second());
    if (!MayLead(x, y)) return;
    const auto other_x = static_cast<double>(total_.first() - side.first());
    const auto other_y = static_cast<double>(total_.second() - side.second());
    if (x + y <= 0 || other_x + other_y <= 0) return;
    leaders_.Enter(2 * (x * y / (x + y)) + 2 * (other_x * other_y / (other_x + other_y)), feature,
                   cut);
  }

  const Leaders& leaders() const { return leaders_; }

 private:
  Pair total_;
  double first_, second_;
  Leaders leaders_;
};

// Splits of rows of any number of classes.
class StumpFinder::ManyClasses {
 public:
  explicit ManyClasses(std::span<const Units> totals)
      : totals_(totals), leaders_(ImpurityOf(totals), WeightOf(totals)) {}

  void Try(std::uint32_t feature, std::uint32_t cut, std::span<const Units> side) {
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

  const Leaders& leaders() const { return leaders_; }

 private:
  static double WeightOf(std::span<const Units> sums) {
    double weight = 0;
    for (const Units x : sums) weight += static_cast<double>(x);
    return weight;
  }
  static double ImpurityOf(std::span<const Units> sums) {
    double squares = 0;
    for (const Units x : sums) squares += static_cast<double>(x) * static_cast<double>(x);
    return WeightOf(sums) - squares / WeightOf(sums);
  }

  std::span<const Units> totals_;
  Leaders leaders_;
};

bool StumpFinder::Serves(const tree::TrainingColumns& columns) {
  return !columns.has_missing &&
         std::none_of(columns.columns.begin(), columns.columns.end(),
                      [](const auto& column) { return column.kind == tree::ColumnKind::kNominal; });
}

StumpFinder::StumpFinder(const tree::TrainingColumns& columns)
    : columns_(columns), walks_(columns, kEntriesPerBlock) {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> place(columns.n_classes, kNone);
  for (const std::int32_t label : columns.labels) place[static_cast<std::size_t>(label)] = 0;
  for (std::size_t label = 0; label < place.size(); ++label) {
    if (place[label] == kNone) continue;
    place[label] = static_cast<std::uint32_t>(label_of_.size());
    label_of_.push_back(label);
  }
  n_classes_ = label_of_.size();
  class_of_.reserve(columns.num_rows());
  for (const std::int32_t label : columns.labels) {
    class_of_.push_back(place[static_cast<std::size_t>(label)]);
  }
  if (n_classes_ == 2) {
    pairs_.resize(columns.num_rows());
    at_block_.resize(walks_.blocks().size());
  } else {
    units_.resize(columns.num_rows());
  }
}

bool StumpFinder::Weigh(std::span<const double> weights) {
  weights_ = weights;
  has_zeros_ = std::find(weights.begin(), weights.end(), 0.0) != weights.end();
  totals_.assign(n_classes_, 0);
  if (n_classes_ == 2) {
    WeighTwoClasses();
  } else {
    for (std::size_t i = 0; i < weights.size(); ++i) {
      units_[i] = static_cast<Units>(weights[i] * kUnitsPerWeight);
      totals_[class_of_[i]] += units_[i];
    }
  }
  return *std::min_element(totals_.begin(), totals_.end()) >= kLeastOfClass;
}

void StumpFinder::WeighTwoClasses() {
  Pair total;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    const auto units = static_cast<Units>(weights_[i] * kUnitsPerWeight);
    const Units of_second = -static_cast<Units>(class_of_[i]);  // all bits or none
    pairs_[i].units = TwoUnits{units & ~of_second, units & of_second};
    total.units += pairs_[i].units;
  }
  totals_ = {total.first(), total.second()};
}

std::optional<StumpCut> StumpFinder::Best() {
  std::optional<StumpCut> best;
  if (n_classes_ == 2) {
    TwoClasses contest(Pair{{totals_[0], totals_[1]}});
    TryEndsOfBlocks(contest);
    TryInsideBlocks(contest);
    best = contest.leaders().Winner();
  } else if (n_classes_ > 2) {
    ManyClasses contest(totals_);
    TryManyClasses(contest);
    best = contest.leaders().Winner();
  }
  if (best && has_zeros_) best->next = NextRank(*best);
  return best;
}

StumpFinder::Pair StumpFinder::SumOf(std::size_t begin, std::size_t end) const {
  const std::uint32_t* entries = walks_.entries().data();
  const Pair* pairs = pairs_.data();
  Pair sum;
#pragma GCC unroll 4
  for (std::size_t e = begin; e < end; ++e) sum.units += pairs[entries[e]].units;
  return sum;
}

void StumpFinder::TryEndsOfBlocks(TwoClasses& contest) {
  std::size_t entry = 0, b = 0;
  for (const StumpWalks::Walk& walk : walks_.walks()) {
    Pair side;
    for (; b < walk.end_block; ++b) {
      const StumpWalks::Block& block = walks_.blocks()[b];
      side.units += SumOf(entry, block.end_entry).units;
      at_block_[b] = side;
      contest.Try(walk.feature, walks_.runs()[block.end_run - 1].cut, side);
      entry = block.end_entry;
    }
  }
}

void StumpFinder::TryInsideBlocks(TwoClasses& contest) const {
  StumpWalks::Block before{0, 0};
  std::size_t b = 0;
  for (const StumpWalks::Walk& walk : walks_.walks()) {
    Pair side;
    for (; b < walk.end_block; ++b) {
      const StumpWalks::Block& block = walks_.blocks()[b];
      const bool has_inside = block.end_run - before.end_run > 1;
      if (has_inside && contest.MayLeadBetween(side, at_block_[b])) {
        TryRuns(walk.feature, before, block, side, contest);
      }
      side = at_block_[b];
      before = block;
    }
  }
}

// All but the last one, with which the block ends. `side`: at the end of the block before.
void StumpFinder::TryRuns(std::uint32_t feature, const StumpWalks::Block& before,
                          const StumpWalks::Block& block, Pair side, TwoClasses& contest) const {
  std::size_t entry = before.end_entry;
  for (std::size_t r = before.end_run; r + 1 < block.end_run; ++r) {
    const StumpWalks::Run& run = walks_.runs()[r];
    side.units += SumOf(entry, run.end_entry).units;
    contest.Try(feature, run.cut, side);
    entry = run.end_entry;
  }
}

void StumpFinder::TryManyClasses(ManyClasses& contest) const {
  std::vector<Units> side(n_classes_);
  std::size_t entry = 0, run = 0;
  for (const StumpWalks::Walk& walk : walks_.walks()) {
    std::fill(side.begin(), side.end(), 0);
    const std::size_t end_run = walks_.blocks()[walk.end_block - 1].end_run;
    for (; run < end_run; ++run) {
      for (; entry < walks_.runs()[run].end_entry; ++entry) {
        const std::uint32_t row = walks_.entries()[entry];
        side[class_of_[row]] += units_[row];
      }
      contest.Try(walk.feature, walks_.runs()[run].cut, side);
    }
  }
}

std::array<std::vector<double>, 2> StumpFinder::WeightsOfSides(const StumpCut& cut) const {
  const std::uint32_t* ranks = columns_.columns[cut.feature].ranks.data();
  std::vector<Units> left(n_classes_), right = totals_;
  if (n_classes_ == 2) {
    Units first = 0, second = 0;
    for (std::size_t i = 0; i < class_of_.size(); ++i) {
      const Units mask = -Units{ranks[i] <= cut.cut};
      first += pairs_[i].first() & mask;
      second += pairs_[i].second() & mask;
    }
    left = {first, second};
  } else {
    for (std::size_t i = 0; i < class_of_.size(); ++i) {
      if (ranks[i] <= cut.cut) left[class_of_[i]] += units_[i];
    }
  }
  for (std::size_t c = 0; c < n_classes_; ++c) right[c] -= left[c];
  return {InWeights(left), InWeights(right)};
}

std::vector<double> StumpFinder::InWeights(std::span<const Units> sums) const {
  std::vector<double> weights(columns_.n_classes);
  for (std::size_t c = 0; c < sums.size(); ++c) {
    weights[label_of_[c]] = static_cast<double>(sums[c]) / kUnitsPerWeight;
  }
  return weights;
}

std::uint32_t StumpFinder::NextRank(const StumpCut& cut) const {
  const std::vector<std::uint32_t>& ranks = columns_.columns[cut.feature].ranks;
  std::uint32_t next = tree::kMissingRank;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] > cut.cut && weights_[i] > 0) next = std::min(next, ranks[i]);
  }
  return next;
}

}  // namespace crossfold::bundled::adaboost
