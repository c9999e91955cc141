// Predictions from the leaves of a row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crossfold_plugin/view.hpp"
#include "tree.h"

namespace crossfold::bundled::tree {

// A view's entries, row-major: a category as its code, a missing entry as NaN.
// Throws Error for an infinite entry.
std::vector<double> PredictionRows(const plugin::FeatureView& rows);

inline constexpr int kUnknownChild = -1;
// Which child of the node the row goes to, or kUnknownChild: the entry that the node asks for is
// missing, or its level has no side. REQUIRES: the node is not a leaf.
int ChildOf(const Tree& tree, const Node& node, const double* row);

// The leaf of a row without missing entries: an index into tree.nodes. At a missing entry (or a
// level without a side) it takes the child with the largest share; ties go to the first.
std::size_t LeafOf(const Tree& tree, const double* row);

// Adds to `out` (n_outputs numbers) scale x the prediction of the leaf: see AddPrediction.
void AddLeaf(const Tree& tree, std::size_t leaf, double scale, double laplace,
             std::span<double> out);

// Adds to `out` (n_outputs numbers) scale x the class shares or the mean of the row's leaf. At a
// missing entry the row goes down every branch with the branch's share, as in C4.5. `laplace` is
// added to the weight of every class that the root has; the class shares of a leaf sum to 1.
void AddPrediction(const Tree& tree, const double* row, double scale, double laplace,
                   std::span<double> out);

// Shares that were added up leaf by leaf may exceed 1 by rounding.
inline void LimitShares(std::span<double> shares) {
  for (double& share : shares) share = std::min(share, 1.0);
}

}  // namespace crossfold::bundled::tree
