#include "predict.h"

#include <cmath>
#include <string>
#include <utility>

#include "../feature_text.h"

namespace crossfold::bundled::tree {

namespace {

int ObliqueSide(const Tree& tree, const Node& node, const double* row) {
  double sum = 0;
  for (std::uint32_t t = 0; t < node.n_details; ++t) {
    const Term& term = tree.terms[node.first_detail + t];
    sum += term.coefficient * row[term.feature];
  }
  if (std::isnan(sum)) return kUnknownChild;
  return sum <= node.threshold ? 0 : 1;
}

}  // namespace

int ChildOf(const Tree& tree, const Node& node, const double* row) {
  if (node.kind == NodeKind::kOblique) return ObliqueSide(tree, node, row);
  const double x = row[node.feature];
  if (std::isnan(x)) return kUnknownChild;
  if (node.kind == NodeKind::kThreshold) return x <= node.threshold ? 0 : 1;
  const bool multiway = node.kind == NodeKind::kMultiway;
  const std::uint32_t n_levels = multiway ? node.n_children : node.n_details;
  if (!(x >= 0 && x < static_cast<double>(n_levels))) return kUnknownChild;
  const auto level = static_cast<std::size_t>(x);
  if (multiway) return static_cast<int>(level);
  const std::uint8_t side = tree.sides[node.first_detail + level];
  return side == kNoSide ? kUnknownChild : side;
}

namespace {

std::uint32_t LargestChild(const Tree& tree, const Node& node) {
  std::uint32_t largest = 0;
  for (std::uint32_t c = 1; c < node.n_children; ++c) {
    if (tree.nodes[node.first_child + c].share > tree.nodes[node.first_child + largest].share) {
      largest = c;
    }
  }
  return largest;
}

// The leaf below `node`, or the first node whose test the row cannot answer.
std::size_t Descend(const Tree& tree, std::size_t node, const double* row) {
  while (tree.nodes[node].n_children > 0) {
    const Node& n = tree.nodes[node];
    const int child = ChildOf(tree, n, row);
    if (child == kUnknownChild) break;
    node = n.first_child + static_cast<std::size_t>(child);
  }
  return node;
}

}  // namespace

void AddLeaf(const Tree& tree, std::size_t leaf, double scale, double laplace,
             std::span<double> out) {
  const std::span<const double> output = tree.output(leaf);
  if (tree.n_classes == 0) {
    out[0] += scale * output[0];
    return;
  }
  const std::span<const double> root = tree.output(0);
  double total = 0;
  for (std::size_t c = 0; c < output.size(); ++c) {
    total += output[c] + (root[c] > 0 ? laplace : 0);
  }
  for (std::size_t c = 0; c < output.size(); ++c) {
    out[c] += scale * ((output[c] + (root[c] > 0 ? laplace : 0)) / total);
  }
}

std::vector<double> PredictionRows(const plugin::FeatureView& rows) {
  std::vector<double> dense = rows.DenseRows();
  for (std::size_t i = 0; i < dense.size(); ++i) {
    RefuseInfinite(rows, static_cast<std::int64_t>(i) % rows.num_features(), dense[i]);
  }
  return dense;
}

std::size_t LeafOf(const Tree& tree, const double* row) {
  std::size_t node = Descend(tree, 0, row);
  while (tree.nodes[node].n_children > 0) {
    const Node& n = tree.nodes[node];
    node = Descend(tree, n.first_child + LargestChild(tree, n), row);
  }
  return node;
}

void AddPrediction(const Tree& tree, const double* row, double scale, double laplace,
                   std::span<double> out) {
  const std::size_t reached = Descend(tree, 0, row);
  if (tree.nodes[reached].n_children == 0) {
    AddLeaf(tree, reached, scale, laplace, out);
    return;
  }
  std::vector<std::pair<std::size_t, double>> waiting = {{reached, scale}};
  while (!waiting.empty()) {
    const auto [node, part] = waiting.back();
    waiting.pop_back();
    const Node& n = tree.nodes[node];
    if (n.n_children == 0) AddLeaf(tree, node, part, laplace, out);
    for (std::uint32_t c = n.n_children; c > 0; --c) {
      const std::size_t child = n.first_child + c - 1;
      if (tree.nodes[child].share > 0) {
        waiting.push_back({Descend(tree, child, row), part * tree.nodes[child].share});
      }
    }
  }
}

}  // namespace crossfold::bundled::tree
