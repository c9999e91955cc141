// The out-of-fold predictions of the candidates of a search, from which the choice among them can
// be repeated without a fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "crossfold/log_sink.h"
#include "crossfold/outcome.h"
#include "crossfold/split.h"
#include "crossfold/stats/candidate_scores.h"

namespace crossfold {

// The predictions of each candidate for the test rows of each split, without the row ids, which the
// splits have. It may be read by several threads at a time.
class InnerPredictions {
 public:
  // With `probabilities` these are kept, too.
  InnerPredictions(std::shared_ptr<const SplitPlan> splits, bool probabilities);

  // Bytes of the predictions of one candidate on all splits.
  static std::uint64_t BytesOf(const SplitPlan& splits, bool probabilities);

  // Keeps a prediction. Throws Error(kInvalidArgument) if its length is not that of the test rows.
  void Add(std::size_t candidate, std::int64_t split, const Prediction& prediction);

  // Null = it is not there. The result has no rows.
  const Prediction* Find(std::size_t candidate, std::int64_t split) const;
  const SplitPlan& splits() const { return *splits_; }
  const std::vector<std::int64_t>& rows(std::int64_t split) const {
    return rows_[static_cast<std::size_t>(split)];
  }

 private:
  std::shared_ptr<const SplitPlan> splits_;
  bool probabilities_;
  std::vector<std::vector<std::int64_t>> rows_;      // of each split
  std::vector<std::vector<Prediction>> candidates_;  // of each split
  std::vector<std::vector<bool>> has_;
};

// Some candidates on the splits that all of them have, and samples of their tested rows. What is
// drawn are rows, or groups where the dataset has groups; all tests of a row are drawn together.
class ChoiceSample {
 public:
  // Throws Error(kInvalidArgument) if the candidates have no split in common. REQUIRES: at least
  // one candidate.
  ChoiceSample(std::shared_ptr<const InnerPredictions> predictions,
               std::vector<std::size_t> candidates);

  std::size_t n_candidates() const { return candidates_.size(); }
  std::int64_t n_units() const { return n_units_; }
  bool draws_groups() const { return draws_groups_; }
  // The splits that all candidates have, ascending.
  const std::vector<std::int64_t>& splits() const { return splits_; }
  // Where each test is, in the order of the splits: its unit, and its place in splits().
  const std::vector<std::int64_t>& units() const { return units_; }
  const std::vector<std::int64_t>& folds() const { return folds_; }

  enum class Part { kDrawn, kLeftOut };
  // The prediction of candidate number `i` for the tests of the units that were drawn, each as
  // often as it was drawn, or of those that were not. From one place of splits() if `fold` is not
  // negative. REQUIRES: one count per unit.
  Prediction Select(std::size_t i, std::span<const std::int32_t> counts, Part part,
                    std::int64_t fold = -1) const;

  // The metric of Select(), pooled within each repeat; the mean over the repeats, or the score of
  // the fold. NaN if it is undefined, as it is without rows. Throws as ScorePrediction.
  double Score(const Spec& metric, std::size_t i, std::span<const std::int32_t> counts, Part part,
               std::int64_t fold = -1, const LogSink& log = LogSink()) const;

 private:
  void Take(std::size_t i, std::span<const std::int32_t> counts, Part part, std::size_t place,
            Prediction& to) const;

  std::shared_ptr<const InnerPredictions> predictions_;
  std::vector<std::size_t> candidates_;
  std::vector<std::int64_t> splits_, units_, folds_;
  std::vector<std::size_t> first_test_;  // of each place of splits_, and the number of tests
  std::int64_t n_units_ = 0;
  bool draws_groups_ = false;
};

}  // namespace crossfold
