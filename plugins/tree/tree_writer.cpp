#include "tree_writer.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace crossfold::bundled::tree {

void AddNodes(Tree& tree, std::size_t n) {
  tree.nodes.resize(tree.nodes.size() + n);
  tree.outputs.resize(tree.nodes.size() * tree.n_outputs(), 0.0);
}

void WriteSplit(Tree& tree, std::size_t node, const Candidate& split, std::size_t n_children) {
  Node& written = tree.nodes[node];
  written.kind = split.kind;
  written.feature =
      split.kind == NodeKind::kOblique ? -1 : static_cast<std::int32_t>(split.feature);
  written.threshold = split.threshold;
  written.first_child = static_cast<std::uint32_t>(tree.nodes.size());
  written.n_children = static_cast<std::uint32_t>(n_children);
  written.gain = split.gain;
  written.merit = split.merit;
  if (split.kind == NodeKind::kSubset) {
    written.first_detail = static_cast<std::uint32_t>(tree.sides.size());
    written.n_details = static_cast<std::uint32_t>(split.sides.size());
    tree.sides.insert(tree.sides.end(), split.sides.begin(), split.sides.end());
  } else if (split.kind == NodeKind::kOblique) {
    written.first_detail = static_cast<std::uint32_t>(tree.terms.size());
    written.n_details = static_cast<std::uint32_t>(split.terms.size());
    tree.terms.insert(tree.terms.end(), split.terms.begin(), split.terms.end());
  }
  AddNodes(tree, n_children);
}

void InheritOutput(Tree& tree, std::size_t parent, std::size_t child) {
  const std::span<const double> from = tree.output(parent);
  std::copy(from.begin(), from.end(), tree.output(child).begin());
}

}  // namespace crossfold::bundled::tree
