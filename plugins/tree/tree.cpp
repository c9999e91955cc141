#include "tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "crossfold_plugin/error.hpp"

namespace crossfold::bundled::tree {

namespace {

// Calls visit(node, depth) for every node that can be reached, parents before children. No
// recursion: a tree may be as deep as it has rows.
template <class Visit>
void Walk(const Tree& tree, Visit&& visit) {
  std::vector<std::pair<std::size_t, std::int64_t>> waiting = {{0, 0}};
  while (!waiting.empty()) {
    const auto [node, depth] = waiting.back();
    waiting.pop_back();
    visit(node, depth);
    const Node& n = tree.nodes[node];
    for (std::uint32_t c = n.n_children; c > 0; --c) {
      waiting.push_back({n.first_child + c - 1, depth + 1});
    }
  }
}

void CopyDetails(const Tree& from, Node& node, Tree& to) {
  if (node.kind == NodeKind::kSubset) {
    const auto first = from.sides.begin() + node.first_detail;
    node.first_detail = static_cast<std::uint32_t>(to.sides.size());
    to.sides.insert(to.sides.end(), first, first + node.n_details);
  } else if (node.kind == NodeKind::kOblique) {
    const auto first = from.terms.begin() + node.first_detail;
    node.first_detail = static_cast<std::uint32_t>(to.terms.size());
    to.terms.insert(to.terms.end(), first, first + node.n_details);
  } else {
    node.first_detail = 0;
  }
}

[[noreturn]] void RefuseTree() {
  throw plugin::Error(CF_E_BAD_BLOB, "a tree of the saved model is inconsistent");
}
void Require(bool holds) {
  if (!holds) RefuseTree();
}

double ReadFinite(plugin::Reader& reader) {
  const double value = reader.Read<double>();
  Require(std::isfinite(value));
  return value;
}

Node ReadNode(plugin::Reader& reader) {
  Node n;
  n.kind = static_cast<NodeKind>(
      reader.ReadWithin<std::uint8_t>(0, static_cast<std::uint8_t>(NodeKind::kOblique)));
  n.feature = reader.Read<std::int32_t>();
  n.threshold = ReadFinite(reader);
  n.first_child = reader.Read<std::uint32_t>();
  n.n_children = reader.Read<std::uint32_t>();
  n.first_detail = reader.Read<std::uint32_t>();
  n.n_details = reader.Read<std::uint32_t>();
  n.weight = ReadFinite(reader);
  n.share = ReadFinite(reader);
  n.impurity = ReadFinite(reader);
  n.gain = ReadFinite(reader);
  n.merit = ReadFinite(reader);
  Require(n.weight >= 0 && n.share >= 0 && n.share <= 1);
  return n;
}

// How many children and details a node of that kind has, and that they exist.
void CheckNode(const Tree& tree, std::size_t index, std::span<const std::int64_t> n_levels) {
  const Node& n = tree.nodes[index];
  if (n.kind == NodeKind::kLeaf) {
    Require(n.n_children == 0 && n.n_details == 0);
    return;
  }
  Require(n.first_child > index && n.first_child <= tree.nodes.size() &&
          n.n_children <= tree.nodes.size() - n.first_child);
  const std::size_t details = n.kind == NodeKind::kSubset    ? tree.sides.size()
                              : n.kind == NodeKind::kOblique ? tree.terms.size()
                                                             : 0;
  Require(n.first_detail <= details && n.n_details <= details - n.first_detail);
  if (n.kind == NodeKind::kOblique) {
    Require(n.n_children == 2 && n.n_details > 0);
    return;
  }
  Require(n.feature >= 0 && static_cast<std::size_t>(n.feature) < n_levels.size());
  const std::int64_t levels = n_levels[static_cast<std::size_t>(n.feature)];
  if (n.kind == NodeKind::kMultiway) {
    Require(levels > 0 && n.n_children == levels && n.n_details == 0);
  } else {
    const bool subset = n.kind == NodeKind::kSubset;
    Require(n.n_children == 2 && n.n_details == (subset ? levels : 0) && (!subset || levels > 0));
  }
}

// Every node but the root is the child of exactly one other, so no walk takes longer than the tree.
void CheckParents(const Tree& tree) {
  std::vector<bool> claimed(tree.nodes.size(), false);
  for (const Node& n : tree.nodes) {
    for (std::uint32_t c = 0; c < n.n_children; ++c) {
      Require(!claimed[n.first_child + c]);
      claimed[n.first_child + c] = true;
    }
  }
  Require(!claimed[0] && std::count(claimed.begin(), claimed.end(), false) == 1);
}

}  // namespace

std::size_t Tree::num_leaves() const {
  std::size_t leaves = 0;
  Walk(*this, [&](std::size_t node, std::int64_t) { leaves += nodes[node].n_children == 0; });
  return leaves;
}

std::size_t Tree::depth() const {
  std::int64_t deepest = 0;
  Walk(*this, [&](std::size_t, std::int64_t depth) { deepest = std::max(deepest, depth); });
  return static_cast<std::size_t>(deepest);
}

std::uint64_t Tree::Bytes() const {
  return nodes.capacity() * sizeof(Node) + outputs.capacity() * sizeof(double) + sides.capacity() +
         terms.capacity() * sizeof(Term);
}

bool HasObliqueSplits(const Tree& tree) {
  return std::any_of(tree.nodes.begin(), tree.nodes.end(),
                     [](const Node& n) { return n.kind == NodeKind::kOblique; });
}

void AddImpurityDecrease(const Tree& tree, std::span<double> decrease) {
  Walk(tree, [&](std::size_t node, std::int64_t) {
    const Node& n = tree.nodes[node];
    if (n.kind == NodeKind::kLeaf) return;
    if (n.kind != NodeKind::kOblique) {
      decrease[static_cast<std::size_t>(n.feature)] += n.weight * n.gain;
      return;
    }
    const std::span<const Term> terms(tree.terms.data() + n.first_detail, n.n_details);
    double size = 0;
    for (const Term& t : terms) size += std::abs(t.coefficient);
    for (const Term& t : terms) {
      decrease[static_cast<std::size_t>(t.feature)] +=
          n.weight * n.gain * (size > 0 ? std::abs(t.coefficient) / size : 0);
    }
  });
}

Tree Compact(const Tree& tree) { return Truncated(tree, std::numeric_limits<std::int64_t>::max()); }

Tree Truncated(const Tree& tree, std::int64_t max_depth) {
  struct Copied {
    std::size_t from, to;
    std::int64_t depth;
  };
  Tree out;
  out.n_classes = tree.n_classes;
  out.nodes.resize(1);
  out.outputs.resize(out.n_outputs());
  std::vector<Copied> waiting = {{0, 0, 0}};
  while (!waiting.empty()) {
    const auto [from, to, depth] = waiting.back();
    waiting.pop_back();
    const std::span<const double> output = tree.output(from);
    std::copy(output.begin(), output.end(), out.output(to).begin());
    out.nodes[to] = tree.nodes[from];
    if (depth >= max_depth) MakeLeaf(out, to);
    Node& node = out.nodes[to];
    const std::uint32_t first = node.first_child, n_children = node.n_children;
    node.first_child = n_children == 0 ? 0 : static_cast<std::uint32_t>(out.nodes.size());
    CopyDetails(tree, node, out);
    for (std::uint32_t c = n_children; c > 0; --c) {
      waiting.push_back({first + c - 1, node.first_child + c - 1, depth + 1});
    }
    out.nodes.resize(out.nodes.size() + n_children);
    out.outputs.resize(out.nodes.size() * out.n_outputs());
  }
  return out;
}

void SaveTree(const Tree& tree, plugin::Writer& writer) {
  writer.Write(static_cast<std::uint64_t>(tree.nodes.size()));
  for (const Node& n : tree.nodes) {
    writer.Write(static_cast<std::uint8_t>(n.kind));
    writer.Write(n.feature);
    writer.Write(n.threshold);
    writer.Write(n.first_child);
    writer.Write(n.n_children);
    writer.Write(n.first_detail);
    writer.Write(n.n_details);
    writer.Write(n.weight);
    writer.Write(n.share);
    writer.Write(n.impurity);
    writer.Write(n.gain);
    writer.Write(n.merit);
  }
  writer.WriteSpan<double>(tree.outputs);
  writer.WriteSpan<std::uint8_t>(tree.sides);
  writer.Write(static_cast<std::uint64_t>(tree.terms.size()));
  for (const Term& t : tree.terms) {
    writer.Write(t.feature);
    writer.Write(t.coefficient);
  }
}

Tree LoadTree(plugin::Reader& reader, std::size_t n_classes,
              std::span<const std::int64_t> n_levels) {
  Tree tree;
  tree.n_classes = n_classes;
  const auto n_nodes = reader.ReadWithin<std::uint64_t>(1, 0xFFFFFFFFu);
  for (std::uint64_t i = 0; i < n_nodes; ++i) tree.nodes.push_back(ReadNode(reader));
  tree.outputs = reader.ReadVector<double>();
  Require(tree.outputs.size() / tree.n_outputs() == n_nodes &&
          tree.outputs.size() % tree.n_outputs() == 0);
  for (const double value : tree.outputs) Require(std::isfinite(value));
  tree.sides = reader.ReadVector<std::uint8_t>();
  for (const std::uint8_t side : tree.sides) Require(side <= kNoSide);
  const auto n_terms = reader.Read<std::uint64_t>();
  for (std::uint64_t i = 0; i < n_terms; ++i) {
    Term term;
    term.feature = reader.Read<std::int32_t>();
    term.coefficient = ReadFinite(reader);
    Require(term.feature >= 0 && static_cast<std::size_t>(term.feature) < n_levels.size());
    tree.terms.push_back(term);
  }
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) CheckNode(tree, i, n_levels);
  CheckParents(tree);
  return tree;
}

}  // namespace crossfold::bundled::tree
