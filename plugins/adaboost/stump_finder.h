// The best stump of weighted rows: one threshold on one ordered column, by the Gini impurity.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../tree/columns.h"
#include "stump_contest.h"
#include "stump_walks.h"

namespace crossfold::bundled::adaboost {

// Finds the stump that tree::Grow finds, many times for the same rows with different weights.
//
// Sums of weights are sums of whole units of 2^-62, so they are exact, whatever their order: splits
// into the same sets are equal to the last bit, and the rows of a column's most frequent value can
// be had as the rest of all.
//
// With two classes the entries are summed block by block. The impurity of both sides is a concave
// function of the weights that go left, so on the way through a block it is nowhere below its
// smallest value at the corners of the box between both ends; most blocks are not looked into.
class StumpFinder {
 public:
  // Whether no column is nominal and no entry is missing.
  static bool Serves(const tree::TrainingColumns& columns);

  // REQUIRES: Serves(columns). `columns` must outlive it.
  explicit StumpFinder(const tree::TrainingColumns& columns);

  // Takes the weights of the rows, which sum to 1. Returns false if the weights of a class are too
  // small to be counted in units; then only tree::Grow finds the stump.
  bool Weigh(std::span<const double> weights);

  // Returns the best split by the current weights; nullopt = no split lowers the impurity. Ties go
  // to the earlier feature, then the lower threshold.
  std::optional<StumpCut> Best();

  // The current weights, one number per class of the dataset: of all rows, and of those on each
  // side.
  std::vector<double> AllWeights() const { return InWeights(totals_); }
  std::array<std::vector<double>, 2> WeightsOfSides(const StumpCut& cut) const;

 private:
  void WeighTwoClasses();
  StumpPair SumOf(std::size_t begin, std::size_t end) const;
  void TryEndsOfBlocks(TwoClassContest& contest);
  void TryInsideBlocks(TwoClassContest& contest) const;
  void TryRuns(std::uint32_t feature, const StumpWalks::Block& before,
               const StumpWalks::Block& block, StumpPair side, TwoClassContest& contest) const;
  void TryManyClasses(ManyClassContest& contest) const;
  std::vector<double> InWeights(std::span<const StumpUnits> sums) const;
  std::uint32_t NextRank(const StumpCut& cut) const;

  const tree::TrainingColumns& columns_;
  std::size_t n_classes_ = 0;            // that have rows
  std::vector<std::size_t> label_of_;    // of each of those
  std::vector<std::uint32_t> class_of_;  // of each row, among those
  StumpWalks walks_;

  std::span<const double> weights_;
  bool has_zeros_ = false;          // among the weights
  std::vector<StumpUnits> totals_;  // one per class
  // Of each row: with two classes a pair, of which one is 0, otherwise a single number.
  std::vector<StumpPair> pairs_;
  std::vector<StumpUnits> units_;
  std::vector<StumpPair>
      at_block_;  // with two classes: from the start of the walk to the block's end
};

}  // namespace crossfold::bundled::adaboost
