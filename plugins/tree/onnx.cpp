#include "onnx.h"

#include <algorithm>
#include <utility>

#include "../onnx_parts.h"
#include "predict.h"

namespace crossfold::bundled::tree {

using plugin::kOnnxInt64;

OnnxTrees::OnnxTrees(std::span<const Tree* const> trees, const plugin::FeatureView& columns,
                     plugin::OnnxGraph& graph)
    : trees_(trees), graph_(graph) {
  std::size_t n_nodes = 0;
  for (const Tree* tree : trees_) {
    offsets_.push_back(n_nodes);
    n_nodes += tree->nodes.size();
    depth_ = std::max(depth_, tree->depth());
    has_lookups_ = has_lookups_ || std::any_of(tree->nodes.begin(), tree->nodes.end(), IsLookup);
  }
  CountLeaves();
  AddInputs(columns);
  Walk();
  if (has_splits()) FindStopped();
}

void OnnxTrees::CountLeaves() {
  for (std::size_t t = 0; t < trees_.size(); ++t) {
    first_leaves_.push_back(leaves_.size());
    std::vector<std::size_t> waiting = {0};
    while (!waiting.empty()) {
      const Place place{t, waiting.back()};
      waiting.pop_back();
      const Node& n = node(place);
      if (n.n_children == 0) leaves_.push_back(place);
      for (std::uint32_t c = n.n_children; c > 0; --c) waiting.push_back(n.first_child + c - 1);
    }
  }
  first_leaves_.push_back(leaves_.size());
}

std::vector<double> OnnxTrees::LeafOutputs(double laplace) const {
  const std::size_t width = trees_.front()->n_outputs();
  std::vector<double> outputs(leaves_.size() * width);
  for (std::size_t l = 0; l < leaves_.size(); ++l) {
    AddLeaf(*trees_[leaves_[l].tree], leaves_[l].at, 1, laplace,
            std::span(outputs).subspan(l * width, width));
  }
  return outputs;
}

// ---- the tests of nodes -------------------------------------------------------------------------

bool OnnxTrees::IsLookup(const Node& node) {
  return node.kind == NodeKind::kSubset || node.kind == NodeKind::kMultiway;
}

void OnnxTrees::AddInputs(const plugin::FeatureView& columns) {
  for (std::int64_t j = 0; j < columns.num_features(); ++j) {
    n_levels_.push_back(columns.num_levels(j));
  }
  std::vector<Value> parts = {graph_.Columns()};
  std::int64_t n_columns = columns.num_features();
  for (const Tree* tree : trees_) {
    std::vector<std::int64_t>& made = oblique_columns_.emplace_back();
    for (const Node& n : tree->nodes) {
      made.push_back(n.kind == NodeKind::kOblique ? n_columns++ : -1);
      if (n.kind == NodeKind::kOblique) parts.push_back(AddLinearCombination(*tree, n));
    }
  }
  entries_ = parts.size() == 1 ? parts.front() : graph_.Node("Concat", parts, {{"axis", 1}});
}

// Term by term, as prediction adds them.
OnnxTrees::Value OnnxTrees::AddLinearCombination(const Tree& tree, const Node& node) {
  Value sum;
  for (std::uint32_t t = 0; t < node.n_details; ++t) {
    const Term& term = tree.terms[node.first_detail + t];
    const Value product = graph_.Node(
        "Mul", {plugin::OnnxGraph::Column(term.feature), graph_.Number(term.coefficient)});
    sum = t == 0 ? product : graph_.Node("Add", {sum, product});
  }
  return sum;
}

std::int64_t OnnxTrees::ColumnOf(const Place& place) const {
  const Node& n = node(place);
  if (n.kind == NodeKind::kOblique) return oblique_columns_[place.tree][place.at];
  return n.n_children == 0 ? 0 : n.feature;
}

std::size_t OnnxTrees::NumAnswers(const Place& place) const {
  const Node& n = node(place);
  if (!IsLookup(n)) return 3;
  return 1 + static_cast<std::size_t>(n_levels_[static_cast<std::size_t>(n.feature)]);
}

std::vector<std::uint32_t> OnnxTrees::ChildrenOfAnswers(const Place& place) const {
  const Node& n = node(place);
  std::vector<std::uint32_t> children(NumAnswers(place), kUnknown);
  if (n.n_children == 0) return children;
  const Tree& tree = *trees_[place.tree];
  for (std::uint32_t a = 1; a < children.size(); ++a) {
    if (n.kind == NodeKind::kMultiway) {
      if (a <= n.n_children) children[a] = a - 1;
    } else if (n.kind == NodeKind::kSubset) {
      const bool is_known = a <= n.n_details && tree.sides[n.first_detail + a - 1] != kNoSide;
      if (is_known) children[a] = tree.sides[n.first_detail + a - 1];
    } else {
      children[a] = a - 1;
    }
  }
  return children;
}

OnnxTrees::Value OnnxTrees::Answers(const Value& entries, const Value& thresholds,
                                    const Value& is_lookup) {
  const auto as_integer = [&](const Value& value) {
    return graph_.Node("Cast", {value}, {{"to", kOnnxInt64}});
  };
  const Value below = as_integer(graph_.Node("LessOrEqual", {entries, thresholds}));
  const Value above = as_integer(graph_.Node("Greater", {entries, thresholds}));
  const Value side = graph_.Node("Add", {below, graph_.Node("Add", {above, above})});
  if (!has_lookups_) return side;
  // Tests of thresholds have no levels: any place will do, but it must be an integer.
  const Value levels = graph_.Node("Where", {is_lookup, entries, graph_.Number(-1)});
  return graph_.Node("Where", {is_lookup, LevelPlaces(graph_, levels), side});
}

// ---- the walk of all rows -----------------------------------------------------------------------

// What a walk needs to know of each node.
struct OnnxTrees::NodeTables {
  std::vector<std::int64_t> columns, first_answers;
  std::vector<std::int64_t> next;  // by answer: the number of the next node, itself = stop
  std::vector<double> thresholds, lookups;
};

OnnxTrees::NodeTables OnnxTrees::DescribeNodes() const {
  NodeTables tables;
  for (std::size_t t = 0; t < trees_.size(); ++t) {
    for (std::size_t at = 0; at < trees_[t]->nodes.size(); ++at) {
      const Place place{t, at};
      const Node& n = node(place);
      tables.columns.push_back(ColumnOf(place));
      tables.thresholds.push_back(n.threshold);
      tables.lookups.push_back(IsLookup(n) ? 1 : 0);
      tables.first_answers.push_back(static_cast<std::int64_t>(tables.next.size()));
      for (const std::uint32_t child : ChildrenOfAnswers(place)) {
        tables.next.push_back(child == kUnknown ? NumberOf(place)
                                                : NumberOf({t, n.first_child + child}));
      }
    }
  }
  return tables;
}

OnnxTrees::Value OnnxTrees::RootsOfRows() {
  std::vector<std::int64_t> roots;
  for (std::size_t t = 0; t < trees_.size(); ++t) roots.push_back(NumberOf({t, 0}));
  const Value n_rows = graph_.Node("Gather", {graph_.Node("Shape", {entries_}), graph_.Axis(0)});
  const Value n_trees = graph_.Axis(static_cast<std::int64_t>(roots.size()));
  const Value shape = graph_.Node("Concat", {n_rows, n_trees}, {{"axis", 0}});
  return graph_.Node("Expand", {graph_.Integers(roots, {1, roots.size()}), shape});
}

void OnnxTrees::Walk() {
  reached_ = RootsOfRows();
  if (!has_splits()) return;
  const NodeTables tables = DescribeNodes();
  const std::size_t n = tables.columns.size();
  const Value columns = graph_.Integers(tables.columns, {n});
  const Value thresholds = graph_.Numbers(tables.thresholds, {n});
  const Value lookups = has_lookups_ ? graph_.Node("Cast", {graph_.Numbers(tables.lookups, {n})},
                                                   {{"to", plugin::kOnnxBool}})
                                     : "";
  const Value first_answers = graph_.Integers(tables.first_answers, {n});
  const Value next = graph_.Integers(tables.next, {tables.next.size()});
  const auto of_reached = [&](const Value& table) {
    return graph_.Node("Gather", {table, reached_});
  };
  for (std::size_t step = 0; step < depth_; ++step) {
    const Value entries =
        graph_.Node("GatherElements", {entries_, of_reached(columns)}, {{"axis", 1}});
    const Value answers =
        Answers(entries, of_reached(thresholds), has_lookups_ ? of_reached(lookups) : "");
    const Value places = graph_.Node("Add", {of_reached(first_answers), answers});
    reached_ = graph_.Node("Gather", {next, places});
  }
}

OnnxTrees::Value OnnxTrees::Sum(const Value& leaf_table, const Value& others) {
  const std::size_t n_nodes = offsets_.back() + trees_.back()->nodes.size();
  std::vector<std::int64_t> leaf_of_node(n_nodes, 0);  // 0 where a row stopped
  for (std::size_t l = 0; l < leaves_.size(); ++l) {
    leaf_of_node[static_cast<std::size_t>(NumberOf(leaves_[l]))] = static_cast<std::int64_t>(l);
  }
  const Value leaves = graph_.Node("Gather", {graph_.Integers(leaf_of_node, {n_nodes}), reached_});
  const Value sum = SumInOrder(graph_, graph_.Node("Gather", {leaf_table, leaves}));
  if (!has_splits()) return sum;
  const Value rows = graph_.Node("Unsqueeze", {stopped_, graph_.Axis(1)});
  return graph_.Node("ScatterND", {sum, rows, others});
}

OnnxTrees::Value OnnxTrees::SumOutputs(double laplace) {
  const std::size_t width = trees_.front()->n_outputs();
  const Value table = graph_.Numbers(LeafOutputs(laplace), {num_leaves(), width});
  return Sum(table, has_splits() ? SumOfShares(table, width) : "");
}

void SetTreeOutputs(plugin::OnnxGraph& graph, const plugin::OnnxGraph::Value& outputs,
                    std::size_t n_classes) {
  if (n_classes == 0) return SetValueOutput(graph, outputs);
  SetClassOutputs(graph, graph.Node("Min", {outputs, graph.Number(1)}));
}

// ---- rows with unknown answers ------------------------------------------------------------------

void OnnxTrees::FindStopped() {
  std::vector<double> inner;
  for (const Tree* tree : trees_) {
    for (const Node& n : tree->nodes) inner.push_back(n.n_children > 0 ? 1 : 0);
  }
  const Value at_inner = graph_.Node("Gather", {graph_.Numbers(inner, {inner.size()}), reached_});
  const Value any = graph_.Node("ReduceMax", {at_inner}, {{"axes", 1, true}, {"keepdims", 0}});
  const Value found =
      graph_.Node("NonZero", {graph_.Node("Cast", {any}, {{"to", plugin::kOnnxBool}})});
  stopped_ = graph_.Node("Squeeze", {found, graph_.Axis(0)});
  stopped_entries_ = graph_.Node("Gather", {entries_, stopped_}, {{"axis", 0}});
}

// The nodes of one level of all trees, and what their children need of them.
struct OnnxTrees::Level {
  std::vector<Place> nodes;
  std::vector<Place> children;        // of all nodes
  std::vector<std::int64_t> parents;  // of each child: the place of its parent among the nodes,
  std::vector<std::int64_t> tests;    // among the tests,
  std::vector<std::int64_t> first_weights;  // and its first weight, one per answer
  std::vector<double> weights;              // the share of the parent's rows that it gets
  // Of each test, in the order of the inner nodes.
  std::vector<std::int64_t> columns;
  std::vector<double> thresholds, lookups;
};

OnnxTrees::Level OnnxTrees::DescribeLevel(std::vector<Place> nodes) const {
  Level level;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Place place = nodes[i];
    const Node& n = node(place);
    if (n.n_children == 0) continue;
    const std::vector<std::uint32_t> answers = ChildrenOfAnswers(place);
    for (std::uint32_t c = 0; c < n.n_children; ++c) {
      level.children.push_back({place.tree, n.first_child + c});
      level.parents.push_back(static_cast<std::int64_t>(i));
      level.tests.push_back(static_cast<std::int64_t>(level.columns.size()));
      level.first_weights.push_back(static_cast<std::int64_t>(level.weights.size()));
      const double share = node(level.children.back()).share;
      for (const std::uint32_t child : answers) {
        level.weights.push_back(child == kUnknown ? share : child == c ? 1 : 0);
      }
    }
    level.columns.push_back(ColumnOf(place));
    level.thresholds.push_back(n.threshold);
    level.lookups.push_back(IsLookup(n) ? 1 : 0);
  }
  level.nodes = std::move(nodes);
  return level;
}

// The shares of the rows that reach the children, from the shares of the nodes.
OnnxTrees::Value OnnxTrees::SharesOfChildren(const Level& level, const Value& shares) {
  const auto integers = [&](const std::vector<std::int64_t>& numbers) {
    return graph_.Integers(numbers, {numbers.size()});
  };
  const auto chosen = [&](const Value& from, const std::vector<std::int64_t>& columns) {
    return graph_.Node("Gather", {from, integers(columns)}, {{"axis", 1}});
  };
  const Value lookups =
      has_lookups_ ? graph_.Node("Cast", {graph_.Numbers(level.lookups, {level.lookups.size()})},
                                 {{"to", plugin::kOnnxBool}})
                   : "";
  const Value answers =
      Answers(chosen(stopped_entries_, level.columns),
              graph_.Numbers(level.thresholds, {level.thresholds.size()}), lookups);
  const Value places =
      graph_.Node("Add", {chosen(answers, level.tests), integers(level.first_weights)});
  const Value weights = graph_.Numbers(level.weights, {level.weights.size()});
  const Value factors = graph_.Node("Gather", {weights, places});
  return graph_.Node("Mul", {chosen(shares, level.parents), factors});
}

OnnxTrees::Value OnnxTrees::SharesOfLeaves() {
  std::vector<Place> roots;
  for (std::size_t t = 0; t < trees_.size(); ++t) roots.push_back({t, 0});
  const Value shape = graph_.Node(
      "Concat",
      {graph_.Node("Shape", {stopped_}), graph_.Axis(static_cast<std::int64_t>(roots.size()))},
      {{"axis", 0}});
  std::vector<Value> shares = {graph_.Node("Expand", {graph_.Number(1), shape})};
  std::vector<std::int64_t> place_of_node(offsets_.back() + trees_.back()->nodes.size());
  std::int64_t n_placed = 0;
  Level level = DescribeLevel(std::move(roots));
  while (true) {
    for (const Place& place : level.nodes) {
      place_of_node[static_cast<std::size_t>(NumberOf(place))] = n_placed++;
    }
    if (level.children.empty()) break;
    shares.push_back(SharesOfChildren(level, shares.back()));
    level = DescribeLevel(std::move(level.children));
  }
  std::vector<std::int64_t> order;
  for (const Place& leaf : leaves_) {
    order.push_back(place_of_node[static_cast<std::size_t>(NumberOf(leaf))]);
  }
  const Value all = graph_.Node("Concat", shares, {{"axis", 1}});
  return graph_.Node("Gather", {all, graph_.Integers(order, {order.size()})}, {{"axis", 1}});
}

OnnxTrees::Value OnnxTrees::SumOfShares(const Value& leaf_table, std::size_t width) {
  // Products of one row that are held at once; more of them are added in any order.
  constexpr std::size_t kMostProducts = std::size_t{1} << 20;
  const Value shares = SharesOfLeaves();
  if (num_leaves() * width > kMostProducts) return graph_.Node("MatMul", {shares, leaf_table});
  const Value of_leaves = graph_.Node("Unsqueeze", {shares, graph_.Axis(2)});
  return SumInOrder(graph_, graph_.Node("Mul", {of_leaves, leaf_table}));
}

}  // namespace crossfold::bundled::tree
