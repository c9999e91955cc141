// Prediction intervals and class sets from out-of-fold predictions. Each fold has a model that did
// not see it; the scores of its rows under that model say how wrong such models are.
//   Intervals: R. F. Barber, E. J. Candes, A. Ramdas, R. J. Tibshirani, "Predictive inference with
//   the jackknife+", Annals of Statistics 49 (2021) 486-507: jackknife+ (a fold is a row), CV+ and
//   their minmax. Class sets: Y. Romano, M. Sesia, E. J. Candes, "Classification with valid and
//   adaptive coverage", NeurIPS 2020, with CV+. Rows in groups: Y. Lee, R. F. Barber, R. Willett,
//   "Distribution-free inference with hierarchical data", arXiv 2306.06342: every group has the
//   same weight.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crossfold/dataset.h"
#include "crossfold/outcome.h"

namespace crossfold {

// One entry per row of the training data.
struct OutOfFoldScores {
  std::vector<double> scores;       // how wrong the model without the row is there; larger is worse
  std::vector<std::int64_t> folds;  // of the row, from 0
  std::vector<double> weights;      // 1 / rows of its group; empty = all 1
  double units = 0;                 // the sum of the weights: rows, or groups
};

// What covers the truth of some rows with a stated probability.
struct PredictionRegions {
  double coverage = 0;            // that was asked for
  std::string guarantee;          // what holds for it, as sentences
  std::vector<double> low, high;  // regression: of each row; infinite if `units` are too few
  // classification: rows x classes, row-major; 1 = the class is in the set
  std::vector<std::uint8_t> in_set;
};

// A prediction with its intervals or sets.
struct CoveredPrediction {
  Prediction prediction;
  PredictionRegions regions;
};

// What is said where intervals or sets of a model without out-of-fold scores are wanted; `model` is
// its name.
std::string RefusedCoverage(const std::string& model);

enum class IntervalMethod { kPlus, kMinmax };

// |truth - predicted| of each row of `prediction`, which is for rows of `data`.
std::vector<double> ResidualScores(const Dataset& data, const Prediction& prediction);

// The score of the true class of each row: the probability of all classes that are more probable.
// Equal probabilities: the lower class index counts as more probable. With a seed a share of its
// own probability is added, which is drawn for the row (by seed and row id), as in the paper.
// Throws Error without probabilities.
std::vector<double> ClassScores(const Dataset& data, const Prediction& prediction,
                                std::optional<std::uint64_t> seed);

// Intervals for rows; predictions[k] is of the model that did not see fold k. REQUIRES: the folds
// of `known` are 0 .. predictions.size() - 1, all predictions are for the same rows, 0 < coverage
// < 1.
PredictionRegions ConformalIntervals(const OutOfFoldScores& known,
                                     std::span<const Prediction> predictions, double coverage,
                                     IntervalMethod method);

// Class sets for rows; `whole` is the prediction of the model of all rows. Without a seed its class
// is in every set, so that none is empty; with one, sets are those of the paper. REQUIRES: as
// above. Throws Error without probabilities.
PredictionRegions ConformalSets(const OutOfFoldScores& known,
                                std::span<const Prediction> predictions, const Prediction& whole,
                                double coverage, std::optional<std::uint64_t> seed);

}  // namespace crossfold
