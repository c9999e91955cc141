// Making a grown tree smaller. Each function turns nodes into leaves; Compact drops the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tree.h"

namespace crossfold::bundled::tree {

// Rows whose target is known. `entries` is row-major, as PredictionRows gives it.
struct LabelledRows {
  std::span<const double> entries;
  std::size_t width = 0;
  std::span<const std::int32_t> labels;  // classification
  std::span<const double> values;        // regression
  std::span<const double> weights;

  std::size_t size() const { return weights.size(); }
  const double* row(std::size_t i) const { return entries.data() + i * width; }
};

// Reduced-error pruning (Quinlan 1987): a subtree that makes no fewer errors on these rows (no less
// squared error) than a leaf in its place becomes a leaf.
void PruneReducedError(Tree& tree, const LabelledRows& validation);

// A subtree becomes a leaf unless the training errors plus `per_leaf` for each leaf are fewer with
// it. Classification only.
void PrunePessimistic(Tree& tree, double per_leaf);

// Upper limit, by the normal approximation with continuity correction, of the errors that `weight`
// rows would show, less the `errors` seen (Quinlan 1993, section 4.2, with the special cases of
// his program for fewer than one error and for almost only errors).
double AddedErrors(double weight, double errors, double confidence);

// C4.5 (Quinlan 1993): first, subtrees without fewer training errors than a leaf become leaves;
// then, bottom up, a subtree becomes a leaf, or with `raising` its largest branch takes its place,
// if the estimated errors do not grow by more than 0.1. Classification only. `training`: the rows
// that the tree was grown from. Throws Error if raising meets more than kMaxRaisingDepth levels.
struct ErrorBased {
  double confidence = 0.25;
  bool raising = false;
  bool gini = false;  // the impurity that raised nodes show
};
inline constexpr std::size_t kMaxRaisingDepth = 5000;
void PruneErrorBased(Tree& tree, const ErrorBased& options, const LabelledRows& training);

// The smallest subtree that minimises impurity + alpha x leaves, where the impurity of a leaf is
// weighted by its share of the training weight (Breiman and others 1984, chapter 3).
void PruneCostComplexity(Tree& tree, double alpha);

}  // namespace crossfold::bundled::tree
