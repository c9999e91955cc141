#include "boosting.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "../tree/grow.h"
#include "../tree/predict.h"
#include "../tree/scratch_memory.h"
#include "../weight_unit.h"
#include "list_trees.h"
#include "stump_finder.h"
#include "stump_tree.h"

namespace crossfold::bundled::adaboost {
namespace {

// Errors this near to chance differ from it by rounding only.
constexpr double kChanceTolerance = 1e-12;

// Sums in eight strands, which the compiler may compute side by side.
template <class Term>
double SumInStrands(std::size_t n, const Term& term) {
  constexpr std::size_t kStrands = 8;
  std::array<double, kStrands> strands{};
  std::size_t i = 0;
  for (; i + kStrands <= n; i += kStrands) {
    for (std::size_t k = 0; k < kStrands; ++k) strands[k] += term(i + k);
  }
  double sum = 0;
  for (const double strand : strands) sum += strand;
  for (; i < n; ++i) sum += term(i);
  return sum;
}

tree::GrowOptions OptionsOf(const BoostParams& params) {
  tree::GrowOptions options;
  options.criterion = tree::Criterion::kGini;
  options.nominal = tree::NominalSplit::kSubset;
  options.max_depth = params.max_depth;
  options.min_rows = options.min_leaf = 0;  // the weights sum to 1
  return options;
}

// Trees from columns in memory.
class ColumnTrees : public WeakLearner {
 public:
  ColumnTrees(const BoostParams& params, const tree::TrainingColumns& columns,
              const plugin::Context& context)
      : columns_(columns), context_(context), options_(OptionsOf(params)) {
    if (params.max_depth == 1 && StumpFinder::Serves(columns)) stumps_.emplace(columns);
  }

  std::size_t label(std::size_t row) const override {
    return static_cast<std::size_t>(columns_.labels[row]);
  }

  tree::Tree Grow(std::span<const double> weights, std::span<double> wrong) override {
    if (stumps_ && stumps_->Weigh(weights)) {
      const std::optional<StumpCut> cut = stumps_->Best();
      tree::Tree stump = StumpTree(*stumps_, columns_, cut);
      cut ? MarkWrong(*cut, HeaviestClass(stump.output(1)), HeaviestClass(stump.output(2)), wrong)
          : MarkWrong(stump, wrong);
      return stump;
    }
    tree::Tree grown = tree::Grow(options_, columns_, weights, &context_);
    MarkWrong(grown, wrong);
    return grown;
  }

 private:
  void MarkWrong(const StumpCut& cut, std::size_t below, std::size_t above,
                 std::span<double> wrong) const {
    const std::uint32_t* ranks = columns_.columns[cut.feature].ranks.data();
    const auto label_below = static_cast<std::int32_t>(below);
    const auto label_above = static_cast<std::int32_t>(above);
    for (std::size_t i = 0; i < wrong.size(); ++i) {
      const std::int32_t label = ranks[i] <= cut.cut ? label_below : label_above;
      wrong[i] = label != columns_.labels[i] ? 1.0 : 0.0;
    }
  }

  void MarkWrong(const tree::Tree& grown, std::span<double> wrong) {
    if (rows_.empty()) rows_ = tree::RowMajor(columns_);
    const std::size_t n_features = columns_.num_features();
    std::vector<double> scratch(columns_.n_classes);
    for (std::size_t i = 0; i < wrong.size(); ++i) {
      const std::size_t label = LabelOf(grown, rows_.data() + i * n_features, scratch);
      wrong[i] = label != static_cast<std::size_t>(columns_.labels[i]) ? 1 : 0;
    }
  }

  const tree::TrainingColumns& columns_;
  const plugin::Context& context_;
  tree::GrowOptions options_;
  std::optional<StumpFinder> stumps_;  // if it can be used
  std::vector<double> rows_;           // row-major, once a tree of another kind was grown
};

class Booster {
 public:
  // `weights` are those of the rows, and are overwritten, as is `wrong`.
  Booster(const BoostParams& params, std::size_t n_classes, WeakLearner& learner,
          std::span<double> weights, std::span<double> wrong, const plugin::Context& context)
      : params_(params), learner_(learner), context_(context), weights_(weights), wrong_(wrong) {
    // First makes them whole units of their sum, because another order of the rows could round that
    // sum differently.
    WeightUnit(Sum()).Round(weights_);
    sum_ = Sum();
    Reweigh(1, 1, 0);
    boosted_.priors.assign(n_classes, 0.0);
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      boosted_.priors[learner.label(i)] += weights_[i];
    }
    for (double& prior : boosted_.priors) prior = std::min(prior, 1.0);  // weights round up, too
    n_classes_ = static_cast<double>(NumPresent(boosted_.priors));
  }

  Boosted Run() {
    for (std::int64_t t = 0; t < params_.rounds; ++t) {
      context_.Progress(static_cast<double>(t) / static_cast<double>(params_.rounds));
      if (!AddHypothesis()) break;
    }
    return std::move(boosted_);
  }

 private:
  // Returns false if it is the last one, or was not added.
  bool AddHypothesis() {
    Hypothesis h;
    h.tree = learner_.Grow(weights_, wrong_);
    h.error =
        SumInStrands(wrong_.size(), [&](std::size_t i) { return weights_[i] * wrong_[i]; }) / sum_;
    if (h.error == 0) {
      boosted_.stop = Stop::kPerfect;
      boosted_.hypotheses.push_back(std::move(h));
      return false;
    }
    const bool samme = params_.algorithm == Algorithm::kSamme;
    const double chance = samme ? 1 - 1 / n_classes_ : 0.5;
    // Of two classes the other one is right wherever the hypothesis is wrong, so it still helps.
    if (std::abs(h.error - chance) <= kChanceTolerance || (h.error > chance && n_classes_ > 2)) {
      boosted_.stop = Stop::kChance;
      return false;
    }
    const double log_odds =
        std::log((1 - h.error) / h.error) + (samme ? std::log(n_classes_ - 1) : 0);
    h.weight = params_.learning_rate * (samme ? log_odds : log_odds / 2);
    // The odds between wrong and right rows are multiplied by exp(log_factor). No weight is raised
    // before the sum is made 1 again, so nothing overflows.
    const double log_factor = params_.learning_rate * log_odds;
    const double lowered = std::exp(-std::abs(log_factor));
    log_factor < 0 ? Reweigh(lowered, 1, h.error) : Reweigh(1, lowered, h.error);
    boosted_.hypotheses.push_back(std::move(h));
    return true;
  }

  // Multiplies the weights by these factors and makes their sum 1, up to their rounding. `error` is
  // the share of the wrong rows.
  void Reweigh(double of_wrong, double of_right, double error) {
    const double sum = (of_wrong * error + of_right * (1 - error)) * sum_;
    of_wrong /= sum;
    of_right /= sum;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      weights_[i] = unit_.Round(weights_[i] * (wrong_[i] != 0 ? of_wrong : of_right));
    }
    sum_ = Sum();
  }

  double Sum() const {
    return SumInStrands(weights_.size(), [&](std::size_t i) { return weights_[i]; });
  }

  const BoostParams& params_;
  WeakLearner& learner_;
  const plugin::Context& context_;
  const WeightUnit unit_{1};   // of the weights
  std::span<double> weights_;  // sum to 1, up to their rounding
  double sum_ = 0;             // of them
  std::span<double> wrong_;    // by the last hypothesis: 1 = wrong, 0 = right
  double n_classes_ = 0;       // that have a weight
  Boosted boosted_;
};

}  // namespace

std::size_t LabelOf(const tree::Tree& tree, const double* row, std::vector<double>& scratch) {
  std::fill(scratch.begin(), scratch.end(), 0.0);
  tree::AddPrediction(tree, row, 1, 0, scratch);
  return HeaviestClass(scratch);
}

std::size_t NumPresent(const std::vector<double>& priors) {
  return static_cast<std::size_t>(
      std::count_if(priors.begin(), priors.end(), [](double p) { return p > 0; }));
}

Boosted Boost(const BoostParams& params, const tree::TrainingColumns& columns,
              const plugin::Context& context) {
  ColumnTrees trees(params, columns, context);
  std::vector<double> weights = columns.weights, wrong(weights.size());
  return Booster(params, columns.n_classes, trees, weights, wrong, context).Run();
}

Boosted BoostByLists(const BoostParams& params, const tree::OrderedRows& rows,
                     const tree::AttributeLists& lists, const plugin::Context& context) {
  ListTrees trees(OptionsOf(params), rows, lists, context);
  const tree::ScratchArray<double> weights(rows.size()), wrong(rows.size());
  std::fill(weights.all().begin(), weights.all().end(), 1.0);
  std::copy(rows.weights().begin(), rows.weights().end(), weights.all().begin());
  return Booster(params, rows.num_classes(), trees, weights.all(), wrong.all(), context).Run();
}

}  // namespace crossfold::bundled::adaboost
