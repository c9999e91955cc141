#include "level_search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "counted_score.h"
#include "counted_search.h"
#include "crossfold_plugin/random.hpp"
#include "impurity.h"
#include "sorted_stretches.h"
#include "split_rating.h"
#include "sweep.h"

namespace crossfold::bundled::tree {

ClassCode::ClassCode(std::size_t n_classes) {
  label_bits_ = n_classes > 1 ? static_cast<unsigned>(std::bit_width(n_classes - 1)) : 0;
  label_mask_ = (std::uint32_t{1} << label_bits_) - 1;
}

namespace {

constexpr std::size_t kMostLaneBytes = std::size_t{32} << 20;
constexpr std::size_t kRowsOfAReport = 100000;
constexpr std::size_t kAhead = 24;  // items that are loaded into the cache before they are needed

// ---- one node on the way through a list --------------------------------------------------------

struct LaneStart {
  std::span<const double> sums;
  double min_side = 0, tolerance = 0;
  bool by_value = false;  // regression: the rows of each value are added up by themselves
};

// Sums that are exact in any order.
template <class Impurity, std::size_t kSize>
class ClassLane {
 public:
  ClassLane(const Impurity& impurity, const LaneStart& start)
      : sweep_(impurity, start.sums, start.min_side, start.tolerance), size_(start.sums.size()) {}

  void Offer(std::uint64_t cut) {
    sweep_.Offer(cut);
    if (sweep_.cut() == cut) left_weight_ = WeightOf<Impurity>(sweep_.left(), size_);
  }
  template <bool kWeighted>
  void Add(const LevelRows& rows, std::size_t row, std::size_t label) {
    sweep_.left()[label] += kWeighted ? rows.weights[row] : 1.0;
  }

  std::size_t n_tried() const { return sweep_.n_tried(); }
  double best() const { return sweep_.best(); }
  std::uint64_t cut() const { return sweep_.cut(); }
  double left_weight() const { return left_weight_; }

 private:
  Sweep<Impurity, kSize> sweep_;
  std::size_t size_;
  double left_weight_ = 0;
};

// Whole weights. `Score`: see counted_score.h.
template <class Impurity, class Score>
class CountedLane {
 public:
  CountedLane(const Impurity& impurity, const LaneStart& start)
      : counts_(CountsOf(start.sums)), score_(impurity, counts_), tolerance_(start.tolerance) {
    least_weight_ = LeastWeight(start.min_side - kWeightSlack);
  }

  void Offer(std::uint64_t cut) {
    if (score_.left_weight() < least_weight_ || score_.right_weight() < least_weight_) return;
    ++n_tried_;
    const double sum = score_.Sum();
    if (!(sum < best_ - tolerance_)) return;
    best_ = sum;
    cut_ = cut;
    left_weight_ = score_.left_weight();
  }
  template <bool kWeighted>
  void Add(const LevelRows& rows, std::size_t row, std::size_t label) {
    score_.Move(label, kWeighted ? static_cast<std::uint32_t>(rows.weights[row]) : 1u);
  }

  std::size_t n_tried() const { return n_tried_; }
  double best() const { return best_; }
  std::uint64_t cut() const { return cut_; }
  double left_weight() const { return left_weight_; }

 private:
  static ClassCounts CountsOf(std::span<const double> sums) {
    ClassCounts counts;
    counts.Resize(sums.size());
    for (std::size_t c = 0; c < sums.size(); ++c) {
      counts.totals[c] = static_cast<std::uint32_t>(sums[c]);
    }
    return counts;
  }

  ClassCounts counts_;  // the score points into its arrays, which stay where they are
  Score score_;
  double tolerance_;
  std::uint32_t least_weight_ = 1;
  std::size_t n_tried_ = 0;
  double best_ = std::numeric_limits<double>::infinity();
  std::uint64_t cut_ = 0;
  double left_weight_ = 0;
};

// Sums in the order of the rows, as SplitSearch makes them: one row after the other, or value by
// value.
class MeanLane {
 public:
  MeanLane(const VarianceImpurity& impurity, const LaneStart& start)
      : sweep_(impurity, start.sums, start.min_side, start.tolerance), by_value_(start.by_value) {}

  void Offer(std::uint64_t cut) {
    if (by_value_) {
      sweep_.AddLeft(of_value_.data());
      of_value_.fill(0.0);
    }
    sweep_.Offer(cut);
  }
  template <bool kWeighted>
  void Add(const LevelRows& rows, std::size_t row, std::size_t) {
    const double weight = kWeighted ? rows.weights[row] : 1.0;
    double* sums = by_value_ ? of_value_.data() : sweep_.left();
    sums[0] += weight;
    sums[1] += weight * rows.centred(row);
  }

  std::size_t n_tried() const { return sweep_.n_tried(); }
  double best() const { return sweep_.best(); }
  std::uint64_t cut() const { return sweep_.cut(); }
  double left_weight() const { return 0; }  // for gain ratios only

 private:
  Sweep<VarianceImpurity, 2> sweep_;
  bool by_value_;
  std::array<double, 2> of_value_{};
};

// ---- all nodes ---------------------------------------------------------------------------------

// The splits that were found for a node.
struct FoundSplits {
  std::optional<LevelSplit> best;  // if splits are chosen one by one
  // Else: all in the order of the features; of each feature 0 if it is constant at the node, 1 if
  // it has no split, or 2 + the place of its split.
  std::vector<LevelSplit> all;
  std::vector<std::uint32_t> of_feature;
};

template <class Impurity>
class LevelSearchBy : public LevelSearch {
 public:
  LevelSearchBy(const GrowOptions& options, const AttributeLists& lists, const RowTotals& totals,
                const ClassCode& code, const plugin::Context* context)
      : options_(options),
        lists_(lists),
        totals_(totals),
        code_(code),
        context_(context),
        n_sums_(Impurity::kClasses ? totals.n_classes : 2),
        impurity_(totals.weight, totals.counted),
        rating_(options, impurity_, n_sums_),
        one_by_one_(TriesAllInOrder(options) && rating_.ChoosesOneByOne()) {}

  double ImpurityOf(std::span<const double> sums) const override {
    return impurity_(sums.data(), sums.size());
  }

  std::vector<std::optional<LevelSplit>> Best(const LevelRows& rows,
                                              std::span<const OpenNode> nodes) override {
    rows_ = &rows;
    std::vector<std::optional<LevelSplit>> best;
    const std::size_t per_node =
        512 + n_sums_ * 3 * sizeof(double) + (one_by_one_ ? 1 : lists_.size()) * sizeof(LevelSplit);
    const std::size_t at_once = std::max<std::size_t>(kMostLaneBytes / per_node, 1);
    for (first_ = 0; first_ < nodes.size(); first_ += at_once) {
      nodes_ = nodes.subspan(first_, std::min(at_once, nodes.size() - first_));
      SearchNodes();
      for (std::size_t k = 0; k < nodes_.size(); ++k) best.push_back(Choose(k));
    }
    return best;
  }

 private:
  void SearchNodes() {
    found_.clear();
    found_.resize(nodes_.size());
    if (!one_by_one_) {
      for (FoundSplits& found : found_) found.of_feature.assign(lists_.size(), 0);
    }
    for (std::size_t j = 0; j < lists_.size(); ++j) {
      lists_.kind(j) == ColumnKind::kNominal ? TryLevels(j) : TryThresholds(j);
      // How deep a tree will be is not known before; it is only certain that it continues.
      if (context_ != nullptr && rows_->codes.size() >= kRowsOfAReport) context_->Progress(0.5);
    }
  }

  double ToleranceOf(const OpenNode& node) const {
    std::size_t n_present = n_sums_;
    if (Impurity::kClasses) {
      n_present = static_cast<std::size_t>(
          std::count_if(node.sums.begin(), node.sums.end(), [](double w) { return w > 0; }));
    }
    return std::max(kEqualGain * node.impurity, impurity_.Slack(n_present));
  }
  void StartRating(const OpenNode& node) {
    rating_.StartNode(node.weight, node.sums, ToleranceOf(node));
  }

  // `c` is of feature c.feature at node k.
  void Keep(std::size_t k, LevelSplit&& c, bool splits) {
    FoundSplits& found = found_[k];
    if (one_by_one_) {
      if (splits && (!found.best || rating_.IsBetter(c, *found.best))) found.best = std::move(c);
      return;
    }
    found.of_feature[c.feature] = c.n_values > 1 ? 1 : 0;
    if (!splits) return;
    found.of_feature[c.feature] = static_cast<std::uint32_t>(2 + found.all.size());
    found.all.push_back(std::move(c));
  }

  std::optional<LevelSplit> Choose(std::size_t k) {
    FoundSplits& found = found_[k];
    if (one_by_one_) return std::move(found.best);
    StartRating(nodes_[k]);
    plugin::Random random(nodes_[k].seed);
    std::vector<LevelSplit> tried;
    TryFeaturesOfNode(options_, lists_.size(), random, [&](std::size_t j) {
      const std::uint32_t state = found.of_feature[j];
      if (state >= 2) tried.push_back(std::move(found.all[state - 2]));
      return state >= 1;
    });
    if (options_.features_per_node > 0 && !options_.ties_by_draw) {
      std::sort(tried.begin(), tried.end(),
                [](const Candidate& a, const Candidate& b) { return a.feature < b.feature; });
    }
    return rating_.Choose(tried, random);
  }

  // ---- thresholds ------------------------------------------------------------------------------

  template <class Lane>
  struct Walker {
    std::uint32_t rank = 0;  // of the last row; the first has 1
    std::uint32_t row = 0;   // the first of that rank
    std::uint32_t n_values = 0;
    Lane lane;
  };

  void TryThresholds(std::size_t j) {
    if constexpr (!Impurity::kClasses) {
      WalkWith<MeanLane>(j);
    } else if constexpr (std::is_same_v<Impurity, EntropyImpurity>) {
      if (totals_.counted) {
        WalkWith<CountedLane<Impurity, CountedEntropy>>(j);
      } else {
        WalkWithSums(j);
      }
    } else {
      // Up to here the sums of squares that the plain formula makes are exact.
      constexpr double kExactSquares = 94906265;
      if (n_sums_ > 2 && totals_.whole && totals_.weight <= kExactSquares) {
        WalkWith<CountedLane<Impurity, CountedGini>>(j);
      } else {
        WalkWithSums(j);
      }
    }
  }
  void WalkWithSums(std::size_t j) {
    n_sums_ == 2 ? WalkWith<ClassLane<Impurity, 2>>(j) : WalkWith<ClassLane<Impurity, 0>>(j);
  }

  template <class Lane>
  void WalkWith(std::size_t j) {
    const ColumnKind kind = lists_.kind(j);
    const bool is_kept =
        lists_.num_values(j) > kFewValues && KeepsColumnsSorted(options_, lists_.size());
    std::vector<Walker<Lane>> walkers;
    walkers.reserve(nodes_.size());
    for (const OpenNode& node : nodes_) {
      StartRating(node);
      LaneStart start{node.sums, rating_.MinSide(kind, node.sums), ToleranceOf(node), false};
      start.by_value = !is_kept && lists_.num_values(j) <= node.n_rows;
      walkers.push_back({0, 0, 0, Lane(impurity_, start)});
    }
    rows_->weights != nullptr ? Walk<true>(j, walkers) : Walk<false>(j, walkers);
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      const Walker<Lane>& walker = walkers[k];
      const std::span<const double> sums = nodes_[k].sums;
      LevelSplit c;
      c.feature = j;
      c.n_values = walker.n_values;
      StartRating(nodes_[k]);
      bool splits = walker.lane.n_tried() > 0;
      if (splits) {
        c.cut = RankOf(walker.lane.cut());
        c.above = RowOf(walker.lane.cut());
        splits = rating_.RateThreshold(kind, walker.lane.n_tried(),
                                       rating_.Decrease(sums, walker.lane.best()),
                                       walker.lane.left_weight(), sums, c);
      }
      Keep(k, std::move(c), splits);
    }
  }

  template <bool kWeighted, class Lane>
  void Walk(std::size_t j, std::vector<Walker<Lane>>& walkers) const {
    const std::span<const std::uint32_t> list = rows_->lists[j];
    const std::uint32_t* const codes = rows_->codes.data();
    const std::size_t n = list.size(), n_walkers = walkers.size();
    Walker<Lane>* const all = walkers.data();
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (i + kAhead < n) Prefetch<kWeighted>(list[i + kAhead] & ~kNewValue);
      rank += list[i] >> 31;
      const std::uint32_t row = list[i] & ~kNewValue, code = codes[row];
      const std::size_t k = std::size_t{code_.node(code)} - first_;  // wraps around below first_
      if (k >= n_walkers) continue;
      Walker<Lane>& walker = all[k];
      if (walker.rank != rank) {
        if (walker.rank != 0) walker.lane.Offer(PackItem(walker.row, row));
        walker.rank = rank;
        walker.row = row;
        ++walker.n_values;
      }
      walker.lane.template Add<kWeighted>(*rows_, row, code_.label(code));
    }
  }

  template <bool kWeighted>
  void Prefetch(std::uint32_t row) const {
    __builtin_prefetch(rows_->codes.data() + row);
    if constexpr (kWeighted) __builtin_prefetch(rows_->weights + row);
    if constexpr (!Impurity::kClasses) __builtin_prefetch(rows_->targets + row);
  }

  // ---- levels ----------------------------------------------------------------------------------

  void TryLevels(std::size_t j) {
    const std::size_t per_node = lists_.num_values(j) * n_sums_;
    const std::size_t at_once = std::max<std::size_t>(
        kMostLaneBytes / sizeof(double) / std::max<std::size_t>(per_node, 1), 1);
    for (std::size_t begin = 0; begin < nodes_.size(); begin += at_once) {
      const std::size_t n = std::min(at_once, nodes_.size() - begin);
      AddUpLevels(j, begin, n);
      for (std::size_t k = 0; k < n; ++k) {
        LevelSplit c;
        c.feature = j;
        StartRating(nodes_[begin + k]);
        const std::span<const double> bins(bins_.data() + k * per_node, per_node);
        const bool splits = rating_.RateLevels(bins, nodes_[begin + k].sums, c);
        Keep(begin + k, std::move(c), splits);
      }
    }
  }

  // The sums of each level of the nodes `begin` .. `begin` + `n` - 1, in the order of the rows.
  void AddUpLevels(std::size_t j, std::size_t begin, std::size_t n) {
    const std::size_t n_levels = lists_.num_values(j);
    bins_.assign(n * n_levels * n_sums_, 0.0);
    const LevelCodes& levels = rows_->levels[j];
    for (std::size_t row = 0; row < rows_->codes.size(); ++row) {
      const std::uint32_t code = rows_->codes[row];
      const std::size_t k = std::size_t{code_.node(code)} - first_ - begin;
      if (k >= n) continue;
      double* const sums = bins_.data() + (k * n_levels + levels[row]) * n_sums_;
      const double weight = rows_->weight(row);
      if constexpr (Impurity::kClasses) {
        sums[code_.label(code)] += weight;
      } else {
        sums[0] += weight;
        sums[1] += weight * rows_->centred(row);
      }
    }
  }

  const GrowOptions& options_;
  const AttributeLists& lists_;
  RowTotals totals_;
  ClassCode code_;
  const plugin::Context* context_;
  std::size_t n_sums_;
  Impurity impurity_;
  SplitRating<Impurity> rating_;
  bool one_by_one_;

  // The nodes at hand.
  const LevelRows* rows_ = nullptr;
  std::size_t first_ = 0;
  std::span<const OpenNode> nodes_;
  std::vector<FoundSplits> found_;
  std::vector<double> bins_;
};

}  // namespace

std::unique_ptr<LevelSearch> MakeLevelSearch(const GrowOptions& options,
                                             const AttributeLists& lists, const RowTotals& totals,
                                             const ClassCode& code,
                                             const plugin::Context* context) {
  const auto make =
      [&]<class Impurity>(std::type_identity<Impurity>) -> std::unique_ptr<LevelSearch> {
    return std::make_unique<LevelSearchBy<Impurity>>(options, lists, totals, code, context);
  };
  if (totals.n_classes == 0) return make(std::type_identity<VarianceImpurity>());
  if (options.criterion == Criterion::kGini) return make(std::type_identity<GiniImpurity>());
  return make(std::type_identity<EntropyImpurity>());
}

}  // namespace crossfold::bundled::tree
