#include "boosting.h"

#include <algorithm>
#include <cmath>

#include "../tree/grow.h"
#include "../tree/predict.h"

namespace crossfold::bundled::adaboost {
namespace {

// Errors this near to chance differ from it by rounding only.
constexpr double kChanceTolerance = 1e-12;

void Normalise(std::vector<double>& weights) {
  double sum = 0;
  for (const double w : weights) sum += w;
  for (double& w : weights) w /= sum;
}

class Booster {
 public:
  Booster(const BoostParams& params, const tree::TrainingColumns& columns,
          const plugin::Context& context)
      : params_(params),
        columns_(columns),
        context_(context),
        rows_(tree::RowMajor(columns)),
        weights_(columns.weights),
        wrong_(columns.num_rows()),
        scratch_(columns.n_classes) {
    options_.criterion = tree::Criterion::kGini;
    options_.nominal = tree::NominalSplit::kSubset;
    options_.max_depth = params.max_depth;
    options_.min_rows = options_.min_leaf = 0;  // the weights sum to 1
    Normalise(weights_);
    boosted_.priors.assign(columns.n_classes, 0.0);
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      boosted_.priors[static_cast<std::size_t>(columns.labels[i])] += weights_[i];
    }
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
  // False if it is the last one, or was not added.
  bool AddHypothesis() {
    Hypothesis h;
    h.tree = tree::Grow(options_, columns_, weights_, &context_);
    h.error = FindWrong(h);
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
    boosted_.hypotheses.push_back(std::move(h));
    Reweigh(params_.learning_rate * log_odds);
    return true;
  }

  // Marks the rows that the hypothesis gets wrong; their weight.
  double FindWrong(const Hypothesis& h) {
    const std::size_t n_features = columns_.num_features();
    double error = 0;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      const std::size_t label = LabelOf(h, rows_.data() + i * n_features, scratch_);
      wrong_[i] = label != static_cast<std::size_t>(columns_.labels[i]);
      if (wrong_[i]) error += weights_[i];
    }
    return error;
  }

  // Multiplies the odds between wrong and right rows by exp(log_factor). Only ever lowers a weight
  // before the sum is made 1 again, so nothing overflows.
  void Reweigh(double log_factor) {
    const double factor = std::exp(-std::abs(log_factor));
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      if (wrong_[i] == (log_factor < 0)) weights_[i] *= factor;
    }
    Normalise(weights_);
  }

  const BoostParams& params_;
  const tree::TrainingColumns& columns_;
  const plugin::Context& context_;
  tree::GrowOptions options_;
  std::vector<double> rows_;  // row-major
  std::vector<double> weights_;
  std::vector<bool> wrong_;
  std::vector<double> scratch_;
  double n_classes_ = 0;  // that have a weight
  Boosted boosted_;
};

}  // namespace

std::size_t Greatest(const std::vector<double>& numbers) {
  return static_cast<std::size_t>(std::max_element(numbers.begin(), numbers.end()) -
                                  numbers.begin());
}

std::size_t LabelOf(const Hypothesis& hypothesis, const double* row, std::vector<double>& scratch) {
  std::fill(scratch.begin(), scratch.end(), 0.0);
  tree::AddPrediction(hypothesis.tree, row, 1, 0, scratch);
  return Greatest(scratch);
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
