#include "split_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>

#include "counted_score.h"
#include "counted_search.h"
#include "crossfold_plugin/random.hpp"
#include "node_sorter.h"
#include "sweep.h"

namespace crossfold::bundled::tree {

namespace {

// Variance is never counted; it only needs a type here.
template <class Impurity>
using ScoreOf =
    std::conditional_t<std::is_same_v<Impurity, EntropyImpurity>, CountedEntropy, CountedGini>;

template <class Impurity>
class Search : public SplitSearch {
 public:
  Search(const GrowOptions& options, const TrainingColumns& columns, const Target& target,
         double total_weight, const CountedRows* counted)
      : options_(options),
        columns_(columns),
        target_(target),
        impurity_(total_weight, counted != nullptr) {
    if constexpr (Impurity::kClasses) {
      if (counted != nullptr) counting_.emplace(columns, *counted, impurity_);
    }
  }

  double ImpurityOf(std::span<const double> sums) const override {
    return impurity_(sums.data(), sums.size());
  }

  std::optional<Candidate> Best(const NodeRows& node) override {
    node_ = &node;
    FindPresent();
    tolerance_ = std::max(kEqualGain * node.impurity, impurity_.Slack(present_.size()));
    if (counting_) {
      // Nothing is missing, so the known rows are the same for all columns.
      Use(present_);
      TakeSumsOfNode();
      impurity_of_known_ = ImpurityOf(known_);
      counting_->StartNode(node, tolerance_, TriesAll());
    }
    plugin::Random random(node.seed);
    TryFeatures(random);
    std::optional<Candidate> best = Choose(found_, random);
    if (options_.oblique) best = TryOblique(std::move(best), random.Next());
    return best;
  }

 private:
  // ---- which features --------------------------------------------------------------------------

  bool TriesAll() const { return options_.features_per_node == 0; }

  // Fills found_.
  void TryFeatures(plugin::Random& random) {
    const std::size_t n = columns_.num_features();
    found_.clear();
    if (TriesAll() && !options_.ties_by_draw) {
      for (std::size_t j = 0; j < n; ++j) TryFeature(j);
      return;
    }
    std::vector<std::size_t> left(n);
    for (std::size_t j = 0; j < n; ++j) left[j] = j;
    std::int64_t wanted = TriesAll() ? static_cast<std::int64_t>(n) : options_.features_per_node;
    while (wanted > 0 && !left.empty()) {
      const auto draw = static_cast<std::size_t>(random.Below(left.size()));
      std::swap(left[draw], left.back());
      if (TryFeature(left.back())) --wanted;
      left.pop_back();
    }
    if (options_.ties_by_draw) return;
    std::sort(found_.begin(), found_.end(),
              [](const Candidate& a, const Candidate& b) { return a.feature < b.feature; });
  }

  // False if the feature is constant at the node.
  bool TryFeature(std::size_t j) {
    n_values_ = 0;
    Candidate c;
    c.feature = j;
    const bool splits =
        columns_.columns[j].kind == ColumnKind::kNominal ? TryLevels(j, c) : TryThresholds(j, c);
    c.n_values = n_values_;
    if (splits) found_.push_back(std::move(c));
    return n_values_ > 1;
  }

  // ---- which classes ---------------------------------------------------------------------------

  // Classes without rows at the node add nothing but zeros to the sums over classes.
  void FindPresent() {
    const std::size_t size = target_.size();
    all_.resize(size);
    std::iota(all_.begin(), all_.end(), std::size_t{0});
    place_of_class_.resize(size);
    present_.resize(size);
    std::size_t n = 0;
    for (std::size_t c = 0; c < size; ++c) {
      present_[n] = c;
      n += !Impurity::kClasses || node_->sums[c] > 0 ? 1 : 0;
    }
    present_.resize(n);
  }

  // The sums from here on: all, or those of the classes that are present.
  void Use(const std::vector<std::size_t>& classes) {
    used_ = classes;
    for (std::size_t place = 0; place < classes.size(); ++place) {
      place_of_class_[classes[place]] = static_cast<std::uint32_t>(place);
    }
  }

  void AddRow(double* sums, std::uint32_t row, double weight) const {
    if constexpr (Impurity::kClasses) {
      sums[place_of_class_[static_cast<std::size_t>(target_.label(row))]] += weight;
    } else {
      target_.Add<false>(sums, row, weight);
    }
  }

  void TakeSumsOfNode() {
    known_.clear();
    for (const std::size_t c : used_) known_.push_back(node_->sums[c]);
  }

  // ---- thresholds ------------------------------------------------------------------------------

  bool TryThresholds(std::size_t j, Candidate& c) {
    if constexpr (!Impurity::kClasses) {
      Use(present_);
      return TryThresholdsOf<2>(j, c);
    } else {
      if (counting_) return TryCounted(j, c);
      Use(present_);
      return used_.size() == 2 ? TryThresholdsOf<2>(j, c) : TryThresholdsOf<0>(j, c);
    }
  }

  bool TryCounted(std::size_t j, Candidate& c) {
    const TrainingColumn& column = columns_.columns[j];
    const double least = MinSide(column) - kWeightSlack;
    CountedCut cut;
    if (counting_->IsNarrow(j)) {
      cut = counting_->BestOfNarrow(j, least);
    } else if (node_->sorted[j].is_kept) {
      cut = counting_->BestOfSorted(node_->sorted[j].items, node_->sorted[j].left_out, least);
    } else {
      cut = counting_->BestOfSorted(sorter_.Sort(column, node_->rows), kMissingRank, least);
    }
    n_values_ = cut.n_values;
    if (cut.n_tried == 0) return false;
    c.cut = cut.below;
    c.threshold = ThresholdBetween(column, cut.below, cut.above);
    const double left = cut.left_weight;
    return RateThreshold(column, cut.n_tried, impurity_of_known_ - cut.impurity, left, c);
  }

  template <std::size_t kSize>
  bool TryThresholdsOf(std::size_t j, Candidate& c) {
    const TrainingColumn& column = columns_.columns[j];
    const std::size_t n_bins = column.distinct.size();
    if (!node_->sorted[j].is_kept && n_bins * target_.size() <= 2 * node_->rows.size()) {
      FillBins(column);
      Sweep<Impurity, kSize> sweep(impurity_, known_, MinSide(column), tolerance_);
      SweepBins(n_bins, sweep);
      return Accept(sweep, column, c);
    }
    const std::span<const std::uint64_t> items =
        node_->sorted[j].is_kept ? node_->sorted[j].items : sorter_.Sort(column, node_->rows);
    if (items.empty() || RankOf(items.front()) == RankOf(items.back())) {
      n_values_ = items.empty() ? 0 : 1;
      return false;
    }
    SumKnown(column, items);
    Sweep<Impurity, kSize> sweep(impurity_, known_, MinSide(column), tolerance_);
    SweepItems(items, sweep);
    return Accept(sweep, column, c);
  }

  // The sums of every rank (or level) of the column, and of all of them.
  void FillBins(const TrainingColumn& column) {
    const std::size_t size = used_.size();
    bins_.assign(column.distinct.size() * size, 0.0);
    const double* weights = node_->weight_of_row.data();
    const std::uint32_t* ranks = column.ranks.data();
    for (const std::uint32_t row : node_->rows) {
      if (ranks[row] == kMissingRank) continue;
      AddRow(bins_.data() + ranks[row] * size, row, weights[row]);
    }
    TakeSumsOfNode();
    if (!column.has_missing) return;
    std::fill(known_.begin(), known_.end(), 0.0);
    for (std::size_t i = 0; i < bins_.size(); ++i) known_[i % size] += bins_[i];
  }

  bool IsEmptyBin(std::size_t bin) const {
    return WeightOf<Impurity>(bins_.data() + bin * used_.size(), used_.size()) <= 0;
  }

  template <class S>
  void SweepBins(std::size_t n_bins, S& sweep) {
    std::size_t last = n_bins;
    for (std::size_t bin = 0; bin < n_bins; ++bin) {
      if (IsEmptyBin(bin)) continue;
      if (last < n_bins) sweep.Offer(Cut(last, bin));
      sweep.AddLeft(bins_.data() + bin * used_.size());
      last = bin;
      ++n_values_;
    }
  }

  void SumKnown(const TrainingColumn& column, std::span<const std::uint64_t> items) {
    TakeSumsOfNode();
    if (!column.has_missing) return;
    std::fill(known_.begin(), known_.end(), 0.0);
    for (const std::uint64_t item : items) {
      AddRow(known_.data(), RowOf(item), node_->weight_of_row[RowOf(item)]);
    }
  }

  template <class S>
  void SweepItems(std::span<const std::uint64_t> items, S& sweep) {
    const double* weights = node_->weight_of_row.data();
    double* left = sweep.left();
    std::uint32_t rank = RankOf(items.front());
    n_values_ = 1;
    for (const std::uint64_t item : items) {
      const std::uint32_t row = RowOf(item);
      if (RankOf(item) != rank) {
        sweep.Offer(Cut(rank, RankOf(item)));
        rank = RankOf(item);
        ++n_values_;
      }
      AddRow(left, row, weights[row]);
    }
  }

  // Both ranks around a cut in one number.
  static std::uint64_t Cut(std::size_t below, std::size_t above) {
    return PackItem(static_cast<std::uint32_t>(below), static_cast<std::uint32_t>(above));
  }

  bool IsCorrected(const TrainingColumn& column) const {
    return options_.mdl_correction && Impurity::kClasses && column.kind == ColumnKind::kNumeric;
  }

  // Minimum weight of each side of a threshold.
  double MinSide(const TrainingColumn& column) const {
    if (!IsCorrected(column)) return options_.min_leaf;
    const double tenth = 0.1 * WeightOf<Impurity>(known_.data(), known_.size()) /
                         static_cast<double>(target_.size());
    return std::max(options_.min_leaf, std::min(tenth, 25.0));
  }

  template <class S>
  bool Accept(const S& sweep, const TrainingColumn& column, Candidate& c) {
    if (sweep.n_tried() == 0) return false;
    c.cut = RankOf(sweep.cut());
    c.threshold = ThresholdBetween(column, c.cut, RowOf(sweep.cut()));
    const double left = options_.criterion == Criterion::kGainRatio ? WeightUpTo(column, c.cut) : 0;
    return RateThreshold(column, sweep.n_tried(), Decrease(sweep.best()), left, c);
  }

  bool RateThreshold(const TrainingColumn& column, std::size_t n_tried, double decrease,
                     double left_weight, Candidate& c) const {
    c.kind = NodeKind::kThreshold;
    const double penalty =
        IsCorrected(column) ? std::log2(static_cast<double>(n_tried)) / node_->weight : 0;
    const double known = WeightOf<Impurity>(known_.data(), known_.size());
    const std::array<double, 2> children = {left_weight, known - left_weight};
    return Rate(decrease, penalty, children, c);
  }

  double WeightUpTo(const TrainingColumn& column, std::uint32_t cut) const {
    double weight = 0;
    for (const std::uint32_t row : node_->rows) {
      if (column.ranks[row] <= cut) weight += node_->weight_of_row[row];
    }
    return weight;
  }

  double ThresholdBetween(const TrainingColumn& column, std::uint32_t below,
                          std::uint32_t above) const {
    const double low = column.distinct[below], high = column.distinct[above];
    // Halved first: the sum of two large numbers may not exist. Rounding may reach `high`.
    const double middle =
        std::abs(low) < 1e300 && std::abs(high) < 1e300 ? (low + high) / 2 : low / 2 + high / 2;
    if (!(middle < high)) return low;
    if (options_.threshold == Threshold::kMidpoint) return middle;
    return *(std::upper_bound(column.distinct.begin(), column.distinct.end(), middle) - 1);
  }

  // ---- levels ----------------------------------------------------------------------------------

  bool TryLevels(std::size_t j, Candidate& c) {
    const TrainingColumn& column = columns_.columns[j];
    Use(all_);
    FillBins(column);
    const std::size_t n_levels = column.distinct.size(), size = target_.size();
    std::vector<double> weights(n_levels);
    double summed = 0;
    std::size_t large_enough = 0;
    for (std::size_t level = 0; level < n_levels; ++level) {
      weights[level] = WeightOf<Impurity>(bins_.data() + level * size, size);
      if (weights[level] <= 0) continue;
      ++n_values_;
      if (weights[level] >= options_.min_leaf - kWeightSlack) ++large_enough;
      summed += impurity_(bins_.data() + level * size, size);
    }
    if (n_values_ < 2) return false;
    if (options_.nominal == NominalSplit::kMultiway) {
      c.kind = NodeKind::kMultiway;
      return large_enough >= 2 && Rate(Decrease(summed), 0, weights, c);
    }
    SubsetCut cut = BestSubset(impurity_, bins_, known_, options_.min_leaf, tolerance_);
    if (cut.sides.empty()) return false;
    c.kind = NodeKind::kSubset;
    c.sides = std::move(cut.sides);
    std::array<double, 3> children{};
    for (std::size_t level = 0; level < n_levels; ++level)
      children[c.sides[level]] += weights[level];
    return Rate(Decrease(cut.impurity), 0, std::span<const double>(children).first(2), c);
  }

  // ---- rating ----------------------------------------------------------------------------------

  // Decrease of the impurity, times the known fraction, times the weight of the node.
  double Decrease(double child_impurity) const {
    if (Impurity::kClasses && options_.missing_gain == MissingGain::kAllRows) {
      const double known = WeightOf<Impurity>(known_.data(), known_.size()) / node_->weight;
      return known * (ImpurityOf(node_->sums) - child_impurity);
    }
    return ImpurityOf(known_) - child_impurity;
  }

  // Sets gain and merit; false if there is no gain.
  bool Rate(double decrease, double penalty, std::span<const double> children, Candidate& c) const {
    if (!(decrease > tolerance_)) return false;
    c.gain = decrease / node_->weight - penalty;
    c.merit = c.gain;
    if (!(c.gain > 0)) return false;
    if (options_.criterion != Criterion::kGainRatio) return true;
    std::vector<double> parts(children.begin(), children.end());
    parts.push_back(node_->weight - WeightOf<Impurity>(known_.data(), known_.size()));
    const double information = SplitInformation(parts, node_->weight);
    c.merit = information > 0 ? c.gain / information : 0;
    return c.merit > 0;
  }

  std::optional<Candidate> Choose(std::vector<Candidate>& candidates, plugin::Random& random) {
    if (candidates.empty()) return std::nullopt;
    if (options_.criterion == Criterion::kRandom) {
      return std::move(candidates[static_cast<std::size_t>(random.Below(candidates.size()))]);
    }
    const auto has_less = [](const Candidate& a, const Candidate& b) {
      return a.n_values < b.n_values;
    };
    if (options_.criterion == Criterion::kLeastValues) {
      return std::move(*std::min_element(candidates.begin(), candidates.end(), has_less));
    }
    if (options_.criterion == Criterion::kMostValues) {
      return std::move(*std::max_element(candidates.begin(), candidates.end(), has_less));
    }
    double least_gain = 0;
    if (options_.criterion == Criterion::kGainRatio && options_.average_gain_constraint) {
      for (const Candidate& c : candidates) least_gain += c.gain;
      // Quinlan's programs let a gain pass that misses the average by this much.
      least_gain = least_gain / static_cast<double>(candidates.size()) - 1e-3;
    }
    Candidate* best = nullptr;
    for (Candidate& c : candidates) {
      if (c.gain < least_gain) continue;
      if (best == nullptr || IsBetter(c, *best)) best = &c;
    }
    return std::move(*best);
  }

  // By more than the rounding of gains. A ratio is a gain times merit / gain.
  bool IsBetter(const Candidate& c, const Candidate& other) const {
    return c.merit > other.merit + tolerance_ / node_->weight * (c.merit / c.gain);
  }

  // ---- linear combinations ---------------------------------------------------------------------

  ObliqueProblem MakeObliqueProblem(const std::optional<Candidate>& axis,
                                    std::uint64_t seed) const {
    ObliqueProblem problem;
    for (std::size_t j = 0; j < columns_.num_features(); ++j) {
      if (columns_.columns[j].kind != ColumnKind::kNumeric) continue;
      problem.features.push_back(static_cast<std::int32_t>(j));
    }
    problem.total.assign(target_.size(), 0.0);
    problem.weight_of_row = node_->weight_of_row;
    for (const std::uint32_t row : node_->rows) {
      const bool known =
          std::all_of(problem.features.begin(), problem.features.end(), [&](std::int32_t j) {
            return columns_.columns[static_cast<std::size_t>(j)].ranks[row] != kMissingRank;
          });
      if (!known) continue;
      problem.rows.push_back(row);
      target_.Add<Impurity::kClasses>(problem.total.data(), row, node_->weight_of_row[row]);
      for (const std::int32_t j : problem.features) {
        const TrainingColumn& column = columns_.columns[static_cast<std::size_t>(j)];
        problem.points.push_back(column.distinct[column.ranks[row]]);
      }
    }
    problem.min_side = options_.min_leaf;
    problem.tolerance = tolerance_;
    problem.restarts = options_.oblique_restarts;
    problem.seed = seed;
    if (axis && axis->kind == NodeKind::kThreshold &&
        columns_.columns[axis->feature].kind == ColumnKind::kNumeric) {
      problem.start = Term{static_cast<std::int32_t>(axis->feature), axis->threshold};
    }
    return problem;
  }

  std::optional<Candidate> TryOblique(std::optional<Candidate> axis, std::uint64_t seed) {
    const ObliqueProblem problem = MakeObliqueProblem(axis, seed);
    if (problem.features.size() < 2 || problem.rows.size() < 2) return axis;
    ObliqueCut cut = BestOblique(impurity_, target_, problem);
    if (cut.terms.empty()) return axis;
    Candidate c;
    c.kind = NodeKind::kOblique;
    c.feature = static_cast<std::size_t>(cut.terms.front().feature);
    c.threshold = cut.threshold;
    c.terms = std::move(cut.terms);
    known_ = problem.total;
    const std::array<double, 2> children = {cut.left_weight, cut.right_weight};
    if (!Rate(Decrease(cut.impurity), 0, children, c)) return axis;
    if (axis && !IsBetter(c, *axis)) return axis;
    return c;
  }

  const GrowOptions& options_;
  const TrainingColumns& columns_;
  const Target& target_;
  Impurity impurity_;

  // Of the node and the column at hand.
  const NodeRows* node_ = nullptr;
  double tolerance_ = 0;
  std::size_t n_values_ = 0;
  std::vector<std::size_t> all_, present_;     // the sums of a set: all, those not 0 at the node
  std::span<const std::size_t> used_;          // those that known_ and bins_ hold
  std::vector<std::uint32_t> place_of_class_;  // among those
  std::vector<double> known_;                  // sums of the rows whose entry is known
  std::vector<double> bins_;
  NodeSorter sorter_;
  std::vector<Candidate> found_;

  std::optional<CountedSearch<Impurity, ScoreOf<Impurity>>> counting_;
  double impurity_of_known_ = 0;  // when counting
};

}  // namespace

std::unique_ptr<SplitSearch> MakeSplitSearch(const GrowOptions& options,
                                             const TrainingColumns& columns, const Target& target,
                                             double total_weight, const CountedRows* counted) {
  const auto make = [&]<class Impurity>(std::type_identity<Impurity>) {
    return std::make_unique<Search<Impurity>>(options, columns, target, total_weight, counted);
  };
  if (!target.has_classes()) return make(std::type_identity<VarianceImpurity>());
  if (options.criterion == Criterion::kGini) return make(std::type_identity<GiniImpurity>());
  return make(std::type_identity<EntropyImpurity>());
}

}  // namespace crossfold::bundled::tree
