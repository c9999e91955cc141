// Trees to boost for data that outgrow memory: from attribute lists in scratch memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../tree/attribute_lists.h"
#include "../tree/grow.h"
#include "../tree/ordered_rows.h"
#include "../tree/scratch_memory.h"
#include "boosting.h"
#include "crossfold_plugin/context.hpp"
#include "stump_contest.h"
#include "stump_tree.h"

namespace crossfold::bundled::adaboost {

// The trees that columns in memory give. A stump takes one pass over each list. All references must
// outlive it.
class ListTrees : public WeakLearner {
 public:
  // Throws Error for more classes than kMostClasses.
  ListTrees(const tree::GrowOptions& options, const tree::OrderedRows& rows,
            const tree::AttributeLists& lists, const plugin::Context& context);

  std::size_t label(std::size_t row) const override { return rows_.label(row); }
  tree::Tree Grow(std::span<const double> weights, std::span<double> wrong) override;

 private:
  // Weights are multiples of 2^-51, and so of 2^11 units: the other bits hold the class.
  static constexpr std::size_t kMostClasses = 1024;
  static constexpr StumpUnits kClassMask = kMostClasses - 1;

  bool Weigh(std::span<const double> weights);
  std::optional<StumpCut> Best() const;
  // Tries the cuts of feature j, with `side` as it is below all of them.
  template <class Contest, class Side, class Add>
  void TryCuts(std::size_t j, Side side, Contest& contest, const Add& add) const;
  void TryTwoClasses(std::size_t j, TwoClassContest& contest) const;
  void TryManyClasses(std::size_t j, ManyClassContest& contest) const;
  StumpSides SidesOf(const StumpCut& cut) const;
  std::vector<double> InWeights(std::span<const StumpUnits> sums) const;
  void MarkWrong(const tree::Tree& grown, std::span<double> wrong) const;
  void MarkWrongByStump(const tree::Tree& stump, std::span<double> wrong) const;

  tree::GrowOptions options_;
  const tree::OrderedRows& rows_;
  const tree::AttributeLists& lists_;
  const plugin::Context& context_;
  std::vector<tree::ColumnEntries> entries_;
  std::vector<std::size_t> label_of_;     // of each class that has rows
  std::vector<StumpUnits> class_of_;      // of each label, among those
  tree::ScratchArray<StumpUnits> units_;  // of each row, and its class; empty = no stumps
  std::vector<StumpUnits> totals_;        // one per class
};

}  // namespace crossfold::bundled::adaboost
