// The cross prediction of both discriminant analyses: folds from the sums of all rows where
// rounding allows it, separate fits elsewhere. The table, the fold and the setting decide which.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../fold_views.h"
#include "class_sums.h"

namespace crossfold::bundled {

constexpr double kDiscriminantTolerance = 1e-9;

// Log scores of the rows of a fold, and how far rounding may have moved each: rows x classes.
struct FoldScores {
  RowMatrix scores, doubts;
};

struct FoldProbabilities {
  std::vector<std::int32_t> labels;
  std::vector<double> probabilities;  // rows x classes of the dataset
};

// Whether rounding moves the probabilities by less than the tolerance, and no label.
inline bool AreSure(std::span<const double> shares, std::span<const double> doubts) {
  constexpr double kMostDoubt = 0.1;  // up to here exp(doubt) - 1 is about the doubt
  double mean = 0, best = 0, second = 0;
  for (std::size_t k = 0; k < shares.size(); ++k) {
    if (!(doubts[k] <= kMostDoubt)) return false;
    mean += shares[k] * doubts[k];
    second = std::max(second, std::min(best, shares[k]));
    best = std::max(best, shares[k]);
  }
  // The derivative of share k by the scores s is share k (ds_k - sum over j of share j ds_j).
  for (std::size_t k = 0; k < shares.size(); ++k) {
    if (2 * shares[k] * (doubts[k] + mean) > kDiscriminantTolerance) return false;
  }
  return best - second > 2 * kDiscriminantTolerance;
}

// Returns nothing if rounding may matter.
inline std::optional<FoldProbabilities> Probabilities(const PresentClasses& classes,
                                                      FoldScores fold) {
  if (fold.scores.rows() == 0 || !AreFinite(fold.scores.data(), fold.scores.size())) {
    return std::nullopt;
  }
  const std::size_t n_classes = classes.num_classes();
  const auto n_present = static_cast<std::size_t>(classes.size());
  FoldProbabilities known;
  known.probabilities.resize(static_cast<std::size_t>(fold.scores.rows()) * n_classes);
  for (Index i = 0; i < fold.scores.rows(); ++i) {
    const std::span<double> scores(fold.scores.row(i).data(), n_present);
    const auto out =
        std::span(known.probabilities).subspan(static_cast<std::size_t>(i) * n_classes, n_classes);
    classes.Probabilities(scores, out);
    if (!AreSure(scores, {fold.doubts.row(i).data(), n_present})) return std::nullopt;
    known.labels.push_back(
        static_cast<std::int32_t>(std::max_element(out.begin(), out.end()) - out.begin()));
  }
  return known;
}

// A separate fit.
template <class Learner>
FoldProbabilities FitFold(const typename Learner::Params& params, const FoldViews& views,
                          const plugin::Context& context) {
  const Learner model = Learner::Fit(params, views.train.training(), context);
  const plugin::FeatureView rows = views.test.features();
  const auto n = static_cast<std::size_t>(rows.num_rows());
  const auto n_classes = static_cast<std::size_t>(views.train.training().num_classes());
  FoldProbabilities fitted;
  fitted.probabilities.resize(n * n_classes);
  model.PredictProba(rows, fitted.probabilities, context);
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = std::span(fitted.probabilities).subspan(i * n_classes, n_classes);
    fitted.labels.push_back(
        static_cast<std::int32_t>(std::max_element(row.begin(), row.end()) - row.begin()));
  }
  return fitted;
}

inline std::optional<SharedClasses> TryShare(const plugin::TrainingView& rows) {
  try {
    return SharedClasses(rows);
  } catch (const plugin::Error&) {
    return std::nullopt;  // every fold is fitted separately, and reports what is wrong with its
                          // rows
  }
}

// Returns the result of the fold without a fit of its own; nothing if it is not certain enough, or
// if the separate fit has to report what is wrong.
template <class Learner>
std::optional<FoldProbabilities> TryFold(const typename Learner::Params& params,
                                         const std::optional<FoldClasses>& without) {
  if (!without || without->x.rows() == 0) return std::nullopt;
  try {
    return Probabilities(without->classes, Learner::ScoreFold(params, *without));
  } catch (const plugin::Error&) {
    return std::nullopt;
  }
}

// Learner::ScoreFold(params, FoldClasses) gives FoldScores, those of no rows if it cannot.
template <class Learner>
void CrossPredictFolds(std::span<const typename Learner::Params> settings,
                       const plugin::TrainingView& rows, std::span<const std::int32_t> fold_of_row,
                       std::int32_t n_folds, const plugin::CrossSink& sink,
                       const plugin::Context& context) {
  const std::vector<Positions> folds = PositionsOfFolds(fold_of_row, n_folds);
  const std::optional<SharedClasses> all = TryShare(rows);
  for (std::size_t f = 0; f < folds.size(); ++f) {
    context.Progress(static_cast<double>(f) / static_cast<double>(folds.size()));
    const auto without = all ? all->Without(folds[f]) : std::nullopt;
    std::optional<FoldViews> views;
    for (std::size_t s = 0; s < settings.size(); ++s) {
      sink.Try(s, static_cast<std::int32_t>(f), [&] {
        std::optional<FoldProbabilities> known = TryFold<Learner>(settings[s], without);
        if (!known) {
          if (!views) views.emplace(rows, fold_of_row, static_cast<std::int32_t>(f));
          known = FitFold<Learner>(settings[s], *views, context);
        }
        if (!sink.wants_labels()) known->labels.clear();
        if (!sink.wants_probabilities()) known->probabilities.clear();
        sink.Emit(s, folds[f], {known->labels, {}, known->probabilities});
      });
    }
  }
}

}  // namespace crossfold::bundled
