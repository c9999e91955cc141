// A decision tree as flat arrays, which growing makes, pruning shortens and prediction walks.
// Shared by the plugins decision_tree, adaboost and random_forest; not a plugin itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crossfold_plugin/stream.hpp"

namespace crossfold::bundled::tree {

// How a node sends a row to one of its children. The children of a node are neighbours in the array
// of nodes and come after their parent.
enum class NodeKind : std::uint8_t {
  kLeaf,
  kThreshold,  // two children: value <= threshold, value > threshold. Also ordered categories.
  kSubset,     // two children: the level's side is 0 or 1; any other side counts as missing
  kMultiway,   // one child a level of the dataset, in level order
  kOblique     // two children: sum of coefficient x value <= threshold, or not
};

// A level that no training row of the node had: see Tree::sides.
inline constexpr std::uint8_t kNoSide = 2;

struct Node {
  NodeKind kind = NodeKind::kLeaf;
  std::int32_t feature = -1;      // kThreshold, kSubset, kMultiway
  double threshold = 0;           // kThreshold, kOblique
  std::uint32_t first_child = 0;  // index of a node
  std::uint32_t n_children = 0;
  std::uint32_t first_detail = 0;  // kSubset: into Tree::sides; kOblique: into Tree::terms
  std::uint32_t n_details = 0;
  double weight = 0;    // of the training rows that came here, fractions included
  double share = 1;     // of the known rows of the parent, those that came here: sums to 1
  double impurity = 0;  // of the rows here, by the criterion, per unit of weight
  double gain = 0;      // decrease of the impurity by this split, times the known fraction
  double merit = 0;     // what the split was chosen by: the gain, or the gain ratio
};

// One summand of an oblique split.
struct Term {
  std::int32_t feature = 0;
  double coefficient = 0;
};

struct Tree {
  std::size_t n_classes = 0;    // 0 in regression
  std::vector<Node> nodes;      // nodes[0] is the root; never empty
  std::vector<double> outputs;  // nodes x n_outputs: weights of the classes, or the mean target
  std::vector<std::uint8_t> sides;
  std::vector<Term> terms;

  std::size_t n_outputs() const { return n_classes > 0 ? n_classes : 1; }
  std::span<const double> output(std::size_t node) const {
    return {outputs.data() + node * n_outputs(), n_outputs()};
  }
  std::span<double> output(std::size_t node) {
    return {outputs.data() + node * n_outputs(), n_outputs()};
  }

  std::size_t num_leaves() const;
  std::size_t depth() const;  // 0 = a single leaf
  std::uint64_t Bytes() const;
};

// Whether a node tests more than one feature.
bool HasObliqueSplits(const Tree& tree);

// Adds to `decrease` (one per feature) weight x gain of every split of the tree; an oblique split
// is divided among its features by the sizes of their coefficients. Divide by the sum for shares.
void AddImpurityDecrease(const Tree& tree, std::span<double> decrease);

// Turns the node into a leaf. Nodes that are no longer reached stay until Compact.
inline void MakeLeaf(Tree& tree, std::size_t node) {
  Node& n = tree.nodes[node];
  n.kind = NodeKind::kLeaf;
  n.n_children = 0;
  n.n_details = 0;
  n.gain = n.merit = 0;
}
// The nodes that can be reached, in the order in which a depth-first walk meets their parents.
Tree Compact(const Tree& tree);
// Returns the tree that growing with this max_depth would give.
Tree Truncated(const Tree& tree, std::int64_t max_depth);

void SaveTree(const Tree& tree, plugin::Writer& writer);
// Throws Error(CF_E_BAD_BLOB) for a tree that PredictRow could not walk. `n_levels`: one per
// feature, 0 = numeric.
Tree LoadTree(plugin::Reader& reader, std::size_t n_classes,
              std::span<const std::int64_t> n_levels);

}  // namespace crossfold::bundled::tree
