// What AdaBoost boosts.
#pragma once

#include <cstddef>
#include <span>

#include "../tree/tree.h"

namespace crossfold::bundled::adaboost {

// Grows a tree on the same rows again and again, with other weights.
class WeakLearner {
 public:
  virtual ~WeakLearner() = default;
  virtual std::size_t label(std::size_t row) const = 0;
  // Returns the tree by these weights, and sets which rows it gets wrong: 1 = wrong, 0 = right.
  virtual tree::Tree Grow(std::span<const double> weights, std::span<double> wrong) = 0;
};

}  // namespace crossfold::bundled::adaboost
