// The best stump of weighted rows: one threshold on one ordered column, by the Gini impurity.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../tree/columns.h"
#include "stump_walks.h"

namespace crossfold::bundled::adaboost {

// Rows whose rank in the column is at most `cut` go left.
struct StumpCut {
  std::size_t feature = 0;
  std::uint32_t cut = 0;
  std::uint32_t next = 0;  // the next rank that a row with a weight has: the threshold is between
};

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
  using Units = std::int64_t;
  // Of the two classes, side by side in one register where the machine has such. (By itself the
  // compiler would put two rows side by side.)
  using TwoUnits __attribute__((vector_size(16))) = Units;
  struct Pair {
    TwoUnits units{0, 0};
    Units first() const { return units[0]; }
    Units second() const { return units[1]; }
  };
  class Leaders;
  class TwoClasses;
  class ManyClasses;

  void WeighTwoClasses();
  Pair SumOf(std::size_t begin, std::size_t end) const;
  void TryEndsOfBlocks(TwoClasses& contest);
  void TryInsideBlocks(TwoClasses& contest) const;
  void TryRuns(std::uint32_t feature, const StumpWalks::Block& before,
               const StumpWalks::Block& block, Pair side, TwoClasses& contest) const;
  void TryManyClasses(ManyClasses& contest) const;
  std::vector<double> InWeights(std::span<const Units> sums) const;
  std::uint32_t NextRank(const StumpCut& cut) const;

  const tree::TrainingColumns& columns_;
  std::size_t n_classes_ = 0;            // that have rows
  std::vector<std::size_t> label_of_;    // of each of those
  std::vector<std::uint32_t> class_of_;  // of each row, among those
  StumpWalks walks_;

  std::span<const double> weights_;
  bool has_zeros_ = false;     // among the weights
  std::vector<Units> totals_;  // one per class
  // Of each row: with two classes a pair, of which one is 0, otherwise a single number.
  std::vector<Pair> pairs_;
  std::vector<Units> units_;
  std::vector<Pair> at_block_;  // with two classes: from the start of the walk to the block's end
};

}  // namespace crossfold::bundled::adaboost
