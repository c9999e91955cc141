// Groups the blocks of one split that share a fit (Route::kShared): first equal transforms, step by
// step, then learners that differ in one fit-path parameter or not at all. Both the run and the
// counts of a plan use it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "crossfold/cell.h"

namespace crossfold {

class FitGroups {
 public:
  // Places in the list of blocks.
  using Members = std::vector<std::size_t>;

  explicit FitGroups(std::vector<const CellBlock*> blocks) : blocks_(std::move(blocks)) {}

  std::size_t num_blocks() const { return blocks_.size(); }
  const CellBlock& block(std::size_t m) const { return *blocks_[m]; }
  // Whether step `depth` of a block is its learner.
  bool IsLearner(std::size_t depth, std::size_t m) const {
    return depth + 1 == block(m).learner->steps().size();
  }

  // Groups members with the same step `depth`, which are transforms that are one fit, or learners
  // of one family. All groupings are in the order in which the groups first appear. REQUIRES: the
  // steps before it are the same.
  std::vector<Members> ByStep(std::size_t depth, const Members& members) const;
  // Returns the fit-path parameter with the largest number of values among the members; the number
  // of parameters if there is none. REQUIRES: the members are of one family.
  std::size_t PathParam(const Members& members) const;
  // Groups members that are one fit, because they differ at most in parameter `param`.
  std::vector<Members> ByFit(const Members& members, std::size_t param) const;
  // Groups members of one fit that are the same model.
  std::vector<Members> ByValue(const Members& members, std::size_t param) const;

 private:
  const Pipeline& pipeline(std::size_t m) const { return *blocks_[m]->learner; }
  std::string ValuesKey(std::size_t m, std::size_t param, bool alone) const;

  std::vector<const CellBlock*> blocks_;
};

}  // namespace crossfold
