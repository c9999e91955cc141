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
#include "narrow_gini.h"
#include "node_sorter.h"
#include "split_rating.h"
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
        impurity_(total_weight, counted != nullptr),
        rating_(options, impurity_, target.size()),
        all_(target.size()),
        place_of_class_(target.size()) {
    std::iota(all_.begin(), all_.end(), std::size_t{0});
    if constexpr (Impurity::kClasses) {
      if (counted == nullptr) return;
      counting_.emplace(columns, *counted, impurity_);
      if (CanJoin() && NarrowGini::CanCount(columns, *counted)) joint_.emplace(columns, *counted);
    }
  }

  double ImpurityOf(std::span<const double> sums) const override {
    return impurity_(sums.data(), sums.size());
  }

  std::optional<Candidate> Best(const NodeRows& node) override {
    node_ = &node;
    FindPresent();
    tolerance_ = std::max(kEqualGain * node.impurity, impurity_.Slack(present_.size()));
    rating_.StartNode(node.weight, node.sums, tolerance_);
    if (counting_) {
      // Nothing is missing, so the known rows are the same for all columns.
      Use(present_);
      TakeSumsOfNode();
      impurity_of_known_ = ImpurityOf(known_);
      joins_ = joint_ && joint_->Pays(node);
      if (!joins_ || columns_.narrow_columns.size() < columns_.num_features()) {
        counting_->StartNode(node, tolerance_, TriesAll() && !joins_);
      }
    }
    plugin::Random random(node.seed);
    TryFeatures(random);
    std::optional<Candidate> best = rating_.Choose(found_, random);
    if (options_.oblique) best = TryOblique(std::move(best), random.Next());
    return best;
  }

 private:
  // ---- which features --------------------------------------------------------------------------

  bool TriesAll() const { return options_.features_per_node == 0; }
  // Whether only the best features matter, so that columns may be rated together.
  bool CanJoin() const {
    return std::is_same_v<Impurity, GiniImpurity> && TriesAll() && !options_.ties_by_draw &&
           !options_.mdl_correction;
  }

  // Fills found_.
  void TryFeatures(plugin::Random& random) {
    found_.clear();
    if (joins_) return TryJointly();
    TryFeaturesOfNode(options_, columns_.num_features(), random,
                      [&](std::size_t j) { return TryFeature(j); });
    if (TriesAll() || options_.ties_by_draw) return;
    std::sort(found_.begin(), found_.end(),
              [](const Candidate& a, const Candidate& b) { return a.feature < b.feature; });
  }

  // Of the narrow columns only those that may be best: a column that is clearly worse than another
  // does not change the choice.
  void TryJointly() {
    const std::uint32_t least = LeastWeight(options_.min_leaf - kWeightSlack);
    const std::span<const NarrowGini::ColumnCut> cuts = joint_->Best(*node_, least, tolerance_);
    auto next = cuts.begin();
    for (std::size_t j = 0; j < columns_.num_features(); ++j) {
      if (!counting_->IsNarrow(j)) {
        TryFeature(j);
      } else if (next != cuts.end() && next->column == j) {
        Candidate c;
        c.feature = j;
        if (RateCut(columns_.columns[j], (next++)->cut, c)) found_.push_back(std::move(c));
      }
    }
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
    const double least = rating_.MinSide(column.kind, known_) - kWeightSlack;
    CountedCut cut;
    if (counting_->IsNarrow(j)) {
      cut = counting_->BestOfNarrow(j, least);
    } else if (node_->sorted[j].is_kept) {
      cut = counting_->BestOfSorted(node_->sorted[j].items, node_->sorted[j].left_out, least);
    } else {
      cut = counting_->BestOfSorted(sorter_.SortOthers(column, node_->rows), column.frequent_rank,
                                    least);
    }
    n_values_ = cut.n_values;
    return cut.n_tried > 0 && RateCut(column, cut, c);
  }

  bool RateCut(const TrainingColumn& column, const CountedCut& cut, Candidate& c) const {
    c.cut = cut.below;
    c.threshold = ThresholdBetween(column, cut.below, cut.above);
    const double left = cut.left_weight;
    return rating_.RateThreshold(column.kind, cut.n_tried, impurity_of_known_ - cut.impurity, left,
                                 known_, c);
  }

  template <std::size_t kSize>
  bool TryThresholdsOf(std::size_t j, Candidate& c) {
    const TrainingColumn& column = columns_.columns[j];
    const std::size_t n_bins = column.distinct.size();
    if (!node_->sorted[j].is_kept && n_bins * target_.size() <= 2 * node_->rows.size()) {
      FillBins(column);
      Sweep<Impurity, kSize> sweep(impurity_, known_, rating_.MinSide(column.kind, known_),
                                   tolerance_);
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
    Sweep<Impurity, kSize> sweep(impurity_, known_, rating_.MinSide(column.kind, known_),
                                 tolerance_);
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

  template <class S>
  bool Accept(const S& sweep, const TrainingColumn& column, Candidate& c) {
    if (sweep.n_tried() == 0) return false;
    c.cut = RankOf(sweep.cut());
    c.threshold = ThresholdBetween(column, c.cut, RowOf(sweep.cut()));
    const double left = options_.criterion == Criterion::kGainRatio ? WeightUpTo(column, c.cut) : 0;
    const double decrease = rating_.Decrease(known_, sweep.best());
    return rating_.RateThreshold(column.kind, sweep.n_tried(), decrease, left, known_, c);
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
    const double middle = MiddleBetween(low, high);
    if (options_.threshold == Threshold::kMidpoint) return middle;
    return *(std::upper_bound(column.distinct.begin(), column.distinct.end(), middle) - 1);
  }

  // ---- levels ----------------------------------------------------------------------------------

  bool TryLevels(std::size_t j, Candidate& c) {
    const TrainingColumn& column = columns_.columns[j];
    Use(all_);
    FillBins(column);
    const bool splits = rating_.RateLevels(bins_, known_, c);
    n_values_ = c.n_values;
    return splits;
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
    if (!rating_.Rate(rating_.Decrease(known_, cut.impurity), 0, children, known_, c)) return axis;
    if (axis && !rating_.IsBetter(c, *axis)) return axis;
    return c;
  }

  const GrowOptions& options_;
  const TrainingColumns& columns_;
  const Target& target_;
  Impurity impurity_;
  SplitRating<Impurity> rating_;

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
  std::optional<NarrowGini> joint_;
  bool joins_ = false;            // at the node at hand
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
