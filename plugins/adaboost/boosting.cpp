#include "boosting.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "../tree/grow.h"
#include "../tree/predict.h"
#include "../weight_unit.h"
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

class Booster {
 public:
  Booster(const BoostParams& params, const tree::TrainingColumns& columns,
          const plugin::Context& context)
      : params_(params),
        columns_(columns),
        context_(context),
        weights_(columns.weights),
        wrong_(columns.num_rows()) {
    options_.criterion = tree::Criterion::kGini;
    options_.nominal = tree::NominalSplit::kSubset;
    options_.max_depth = params.max_depth;
    options_.min_rows = options_.min_leaf = 0;  // the weights sum to 1
    if (params.max_depth == 1 && StumpFinder::Serves(columns)) stumps_.emplace(columns);
    // First makes them whole units of their sum, because another order of the rows could round that
    // sum differently.
    WeightUnit(Sum()).Round(weights_);
    sum_ = Sum();
    Reweigh(1, 1, 0);
    boosted_.priors.assign(columns.n_classes, 0.0);
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      boosted_.priors[static_cast<std::size_t>(columns.labels[i])] += weights_[i];
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
    h.tree = GrowAndMarkWrong();
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

  // Grows the next tree and marks the rows that it gets wrong.
  tree::Tree GrowAndMarkWrong() {
    if (stumps_ && stumps_->Weigh(weights_)) {
      const std::optional<StumpCut> cut = stumps_->Best();
      tree::Tree stump = StumpTree(*stumps_, columns_, cut);
      cut ? MarkWrong(*cut, HeaviestClass(stump.output(1)), HeaviestClass(stump.output(2)))
          : MarkWrong(stump);
      return stump;
    }
    tree::Tree grown = tree::Grow(options_, columns_, weights_, &context_);
    MarkWrong(grown);
    return grown;
  }

  void MarkWrong(const StumpCut& cut, std::size_t below, std::size_t above) {
    const std::uint32_t* ranks = columns_.columns[cut.feature].ranks.data();
    const auto label_below = static_cast<std::int32_t>(below);
    const auto label_above = static_cast<std::int32_t>(above);
    for (std::size_t i = 0; i < wrong_.size(); ++i) {
      const std::int32_t label = ranks[i] <= cut.cut ? label_below : label_above;
      wrong_[i] = label != columns_.labels[i] ? 1.0 : 0.0;
    }
  }

  void MarkWrong(const tree::Tree& grown) {
    if (rows_.empty()) rows_ = tree::RowMajor(columns_);
    const std::size_t n_features = columns_.num_features();
    std::vector<double> scratch(columns_.n_classes);
    for (std::size_t i = 0; i < wrong_.size(); ++i) {
      const std::size_t label = LabelOf(grown, rows_.data() + i * n_features, scratch);
      wrong_[i] = label != static_cast<std::size_t>(columns_.labels[i]) ? 1 : 0;
    }
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
  const tree::TrainingColumns& columns_;
  const plugin::Context& context_;
  tree::GrowOptions options_;
  std::optional<StumpFinder> stumps_;  // if it can be used
  std::vector<double> rows_;           // row-major, once a tree of another kind was grown
  const WeightUnit unit_{1};           // of the weights
  std::vector<double> weights_;        // sum to 1, up to their rounding
  double sum_ = 0;                     // of them
  std::vector<double> wrong_;          // one per row, by the last hypothesis: 1 = wrong, 0 = right
  double n_classes_ = 0;               // that have a weight
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
  return Booster(params, columns, context).Run();
}

}  // namespace crossfold::bundled::adaboost
