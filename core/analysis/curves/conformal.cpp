#include "crossfold/conformal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/seed.h"
#include "crossfold_plugin/random.hpp"

namespace crossfold {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// The weight that must lie at or below a bound: (1 - a) of all units and the new one. 0.55 * 100
// is 55.00000000000001, so what is a whole number but for rounding counts as one.
double NeededWeight(double coverage, double units) {
  const double needed = coverage * (units + 1);
  return needed - 1e-9 * (units + 1);
}

struct Weighted {
  double value, weight;
};

// The smallest value that has `needed` weight at or below it; infinite if there is none.
double UpperQuantile(std::vector<Weighted>& entries, double needed) {
  std::sort(entries.begin(), entries.end(), [](const Weighted& a, const Weighted& b) {
    return std::pair(a.value, a.weight) < std::pair(b.value, b.weight);
  });
  double sum = 0;
  for (const Weighted& entry : entries) {
    sum += entry.weight;
    if (sum >= needed) return entry.value;
  }
  return kInfinite;
}

// The same where all weights are 1.
double UpperQuantile(std::vector<double>& values, double needed) {
  const double rank = std::ceil(needed);
  if (rank > static_cast<double>(values.size())) return kInfinite;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::max(rank, 1.0)) - 1;
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

// The quantile of value_of(i) over the rows of `known`.
template <class ValueOf>
double UpperQuantile(const OutOfFoldScores& known, double needed, ValueOf value_of) {
  const std::size_t n = known.scores.size();
  if (known.weights.empty()) {
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = value_of(i);
    return UpperQuantile(values, needed);
  }
  std::vector<Weighted> entries(n);
  for (std::size_t i = 0; i < n; ++i) entries[i] = {value_of(i), known.weights[i]};
  return UpperQuantile(entries, needed);
}

std::size_t FoldOf(const OutOfFoldScores& known, std::size_t i) {
  return static_cast<std::size_t>(known.folds[i]);
}

void AddPlusIntervals(const OutOfFoldScores& known, std::span<const Prediction> predictions,
                      double needed, PredictionRegions& made) {
  const std::size_t n_rows = predictions.front().values.size();
  for (std::size_t row = 0; row < n_rows; ++row) {
    const auto predicted = [&](std::size_t i) { return predictions[FoldOf(known, i)].values[row]; };
    made.high.push_back(UpperQuantile(
        known, needed, [&](std::size_t i) { return predicted(i) + known.scores[i]; }));
    // The lower quantile of v is minus the upper one of -v (Barber et al., section 1.1).
    made.low.push_back(0 - UpperQuantile(known, needed, [&](std::size_t i) {
                         return -(predicted(i) - known.scores[i]);
                       }));
  }
}

void AddMinmaxIntervals(const OutOfFoldScores& known, std::span<const Prediction> predictions,
                        double needed, PredictionRegions& made) {
  const double score = UpperQuantile(known, needed, [&](std::size_t i) { return known.scores[i]; });
  for (std::size_t row = 0; row < predictions.front().values.size(); ++row) {
    double low = kInfinite, high = -kInfinite;
    for (const Prediction& p : predictions) {
      low = std::min(low, p.values[row]);
      high = std::max(high, p.values[row]);
    }
    made.low.push_back(low - score);
    made.high.push_back(high + score);
  }
}

// The share of a class' own probability that the scores of a row leave out.
double DrawnShare(std::optional<std::uint64_t> seed, std::int64_t row) {
  if (!seed) return 1;
  return plugin::Random(SeedOfSteps(*seed, {"row", row})).Uniform();
}

void RequireProbabilities(const Prediction& p) {
  if (!p.rows.empty() && p.probabilities.empty()) {
    throw Error(ErrorKind::kInvalidArgument,
                "class sets need probabilities, and the learner gives none; use one that does");
  }
}

// The scores of all classes of row i of a prediction.
std::vector<double> ScoresOfRow(const Prediction& p, std::size_t i, double share) {
  const auto k = static_cast<std::size_t>(p.n_classes);
  const double* of_class = p.probabilities.data() + i * k;
  std::vector<std::size_t> order(k);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return of_class[a] > of_class[b]; });
  std::vector<double> scores(k);
  double sum = 0;
  for (const std::size_t c : order) {
    scores[c] = sum + (1 - share) * of_class[c];
    sum += of_class[c];
  }
  return scores;
}

// The scores of each fold in their order, with sums of weights, to count those below a bound
// quickly.
class ScoresByFold {
 public:
  ScoresByFold(const OutOfFoldScores& known, std::size_t n_folds) : folds_(n_folds) {
    for (std::size_t i = 0; i < known.scores.size(); ++i) {
      const double weight = known.weights.empty() ? 1 : known.weights[i];
      folds_[FoldOf(known, i)].entries.push_back({known.scores[i], weight});
    }
    for (Fold& fold : folds_) {
      std::sort(fold.entries.begin(), fold.entries.end(), [](const Weighted& a, const Weighted& b) {
        return std::pair(a.value, a.weight) < std::pair(b.value, b.weight);
      });
      fold.sums.push_back(0);
      for (const Weighted& entry : fold.entries) {
        fold.sums.push_back(fold.sums.back() + entry.weight);
      }
    }
  }

  // The weight of the scores of fold `k` that are below `bound`.
  double WeightBelow(std::size_t k, double bound) const {
    const auto& entries = folds_[k].entries;
    const auto at =
        std::lower_bound(entries.begin(), entries.end(), bound,
                         [](const Weighted& entry, double value) { return entry.value < value; });
    return folds_[k].sums[static_cast<std::size_t>(at - entries.begin())];
  }

 private:
  struct Fold {
    std::vector<Weighted> entries;
    std::vector<double> sums;  // of the first 0, 1, ... weights
  };
  std::vector<Fold> folds_;
};

}  // namespace

std::string RefusedCoverage(const std::string& model) {
  return "predict: the model of '" + model +
         "' has no out-of-fold errors, which intervals and sets are made of; fit cf.conformal{ "
         "learner = ..., method = ... }, and give coverage to its model";
}

std::vector<double> ResidualScores(const Dataset& data, const Prediction& prediction) {
  std::vector<double> scores;
  for (std::size_t i = 0; i < prediction.rows.size(); ++i) {
    const double truth = data.values()[static_cast<std::size_t>(prediction.rows[i])];
    scores.push_back(std::abs(truth - prediction.values[i]));
  }
  return scores;
}

std::vector<double> ClassScores(const Dataset& data, const Prediction& prediction,
                                std::optional<std::uint64_t> seed) {
  RequireProbabilities(prediction);
  std::vector<double> scores;
  for (std::size_t i = 0; i < prediction.rows.size(); ++i) {
    const std::int64_t row = prediction.rows[i];
    const auto truth = static_cast<std::size_t>(data.labels()[static_cast<std::size_t>(row)]);
    scores.push_back(ScoresOfRow(prediction, i, DrawnShare(seed, row))[truth]);
  }
  return scores;
}

PredictionRegions ConformalIntervals(const OutOfFoldScores& known,
                                     std::span<const Prediction> predictions, double coverage,
                                     IntervalMethod method) {
  PredictionRegions made;
  made.coverage = coverage;
  const double needed = NeededWeight(coverage, known.units);
  if (method == IntervalMethod::kPlus) {
    AddPlusIntervals(known, predictions, needed, made);
  } else {
    AddMinmaxIntervals(known, predictions, needed, made);
  }
  return made;
}

PredictionRegions ConformalSets(const OutOfFoldScores& known,
                                std::span<const Prediction> predictions, const Prediction& whole,
                                double coverage, std::optional<std::uint64_t> seed) {
  for (const Prediction& p : predictions) RequireProbabilities(p);
  PredictionRegions made;
  made.coverage = coverage;
  const double needed = NeededWeight(coverage, known.units);
  const ScoresByFold by_fold(known, predictions.size());
  const auto k = static_cast<std::size_t>(whole.n_classes);
  for (std::size_t row = 0; row < whole.rows.size(); ++row) {
    const double share = DrawnShare(seed, whole.rows[row]);
    std::vector<double> below(k);  // weight of the scores that are less than that of the class
    for (std::size_t fold = 0; fold < predictions.size(); ++fold) {
      const std::vector<double> scores = ScoresOfRow(predictions[fold], row, share);
      for (std::size_t c = 0; c < k; ++c) below[c] += by_fold.WeightBelow(fold, scores[c]);
    }
    for (std::size_t c = 0; c < k; ++c) {
      const bool predicted = !seed && static_cast<std::size_t>(whole.labels[row]) == c;
      made.in_set.push_back(predicted || below[c] < needed ? 1 : 0);
    }
  }
  return made;
}

}  // namespace crossfold
