#include "flat_tree.h"

#include <algorithm>
#include <span>

#include "predict.h"

namespace crossfold::bundled::tree {

namespace {

// Compares the shares with as few divisions as possible: shares grow with weights, but two weights
// may round to one share.
std::int32_t LargestShare(const Tree& tree, std::size_t leaf, double laplace,
                          std::vector<double>& weights) {
  const std::span<const double> output = tree.output(leaf), root = tree.output(0);
  weights.resize(output.size());
  double total = 0;
  for (std::size_t c = 0; c < output.size(); ++c) {
    weights[c] = output[c] + (root[c] > 0 ? laplace : 0);
    total += weights[c];
  }
  std::size_t best = 0;
  for (std::size_t c = 1; c < weights.size(); ++c) {
    if (weights[c] > weights[best] && weights[c] / total > weights[best] / total) best = c;
  }
  return static_cast<std::int32_t>(best);
}

}  // namespace

FlatTree::FlatTree(const Tree& tree, double laplace) {
  const bool complete = std::all_of(tree.nodes.begin(), tree.nodes.end(), [](const Node& n) {
    return n.kind == NodeKind::kLeaf || n.kind == NodeKind::kThreshold;
  });
  if (!complete) return;
  nodes_.resize(tree.nodes.size());
  if (tree.n_classes > 0) labels_.resize(nodes_.size());
  std::vector<double> weights;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& n = tree.nodes[i];
    if (n.kind == NodeKind::kThreshold) {
      nodes_[i] = {n.threshold, n.first_child, n.feature};
      continue;
    }
    nodes_[i].next = static_cast<std::uint32_t>(i);
    if (tree.n_classes > 0) labels_[i] = LargestShare(tree, i, laplace, weights);
  }
}

}  // namespace crossfold::bundled::tree
