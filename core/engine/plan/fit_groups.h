// Which blocks of one split are one fit (Route::kShared): equal transforms first, step by step,
// then learners that differ in one fit-path parameter, or in nothing. What the run does and what a
// plan counts both follow this.
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

  // All of the below: in the order in which the groups first appear. Members with the same step
  // `depth`: transforms that are one fit, or learners of one family. REQUIRES: their steps before
  // it are the same.
  std::vector<Members> ByStep(std::size_t depth, const Members& members) const;
  // The parameter of fit-path with the most values among the members; the number of parameters if
  // there is none. REQUIRES: of one family.
  std::size_t PathParam(const Members& members) const;
  // Members that are one fit: they differ in parameter `param` at most.
  std::vector<Members> ByFit(const Members& members, std::size_t param) const;
  // Members of one fit that are the same model.
  std::vector<Members> ByValue(const Members& members, std::size_t param) const;

 private:
  const Pipeline& pipeline(std::size_t m) const { return *blocks_[m]->learner; }
  std::string ValuesKey(std::size_t m, std::size_t param, bool alone) const;

  std::vector<const CellBlock*> blocks_;
};

}  // namespace crossfold
