// Trees as ONNX operators. All trees are walked at once, a level at a time; rows that meet a
// missing entry take every branch with its share, as AddPrediction does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crossfold_plugin/onnx_graph.hpp"
#include "crossfold_plugin/view.hpp"
#include "tree.h"

namespace crossfold::bundled::tree {

class OnnxTrees {
 public:
  using Value = plugin::OnnxGraph::Value;

  // The trees and the graph must outlive this. REQUIRES: there are trees, and columns.
  OnnxTrees(std::span<const Tree* const> trees, const plugin::FeatureView& columns,
            plugin::OnnxGraph& graph);

  // Leaves are counted tree by tree, depth first.
  std::size_t num_leaves() const { return leaves_.size(); }
  // The output of each leaf: leaves x n_outputs, as AddLeaf adds it with scale 1.
  std::vector<double> LeafOutputs(double laplace) const;

  // The sum of what AddPrediction adds for every tree, with scale 1: [rows, n_outputs].
  Value SumOutputs(double laplace);

  // The sum over the trees of the rows of a table, [leaves, width], that belong to the row's
  // leaves: [rows, width]. A row that does not reach a leaf of every tree takes those of `others`.
  Value Sum(const Value& leaf_table, const Value& others);
  // Rows that do not reach a leaf of every tree. For each of them, the share with which it reaches
  // each leaf: [these rows, leaves].
  Value SharesOfLeaves();
  // The sum over all leaves of share x output, in the order of AddPrediction: [these rows, width].
  Value SumOfShares(const Value& leaf_table, std::size_t width);
  // Whether rows can stop on their way: whether any tree has more than one leaf.
  bool has_splits() const { return depth_ > 0; }

  // The place of the first leaf of each tree among all leaves, and at the end their number.
  const std::vector<std::size_t>& first_leaves() const { return first_leaves_; }

 private:
  // Node `at` of trees_[tree].
  struct Place {
    std::size_t tree, at;
  };

  const Node& node(const Place& place) const { return trees_[place.tree]->nodes[place.at]; }
  std::int64_t NumberOf(const Place& place) const {
    return static_cast<std::int64_t>(offsets_[place.tree] + place.at);
  }
  void CountLeaves();
  void AddInputs(const plugin::FeatureView& columns);
  Value AddLinearCombination(const Tree& tree, const Node& node);
  // The column that a node tests.
  std::int64_t ColumnOf(const Place& place) const;
  // Whether it looks up the level, and the number of its answers with "unknown".
  static bool IsLookup(const Node& node);
  std::size_t NumAnswers(const Place& place) const;
  // The child that each answer leads to; kUnknown = unknown.
  static constexpr std::uint32_t kUnknown = 0xFFFFFFFF;
  std::vector<std::uint32_t> ChildrenOfAnswers(const Place& place) const;

  // The answers of rows to tests of `columns` [rows, tests]: 0 = unknown; 1 = not above the
  // threshold, 2 = above; level + 1.
  Value Answers(const Value& entries, const Value& thresholds, const Value& is_lookup);
  struct NodeTables;
  NodeTables DescribeNodes() const;
  Value RootsOfRows();
  void Walk();
  void FindStopped();
  struct Level;
  Level DescribeLevel(std::vector<Place> nodes) const;
  Value SharesOfChildren(const Level& level, const Value& shares);

  std::span<const Tree* const> trees_;
  plugin::OnnxGraph& graph_;
  std::vector<std::int64_t> n_levels_;  // one per column
  std::vector<std::size_t> offsets_;    // of each tree's nodes among all nodes
  std::vector<std::size_t> first_leaves_;
  std::vector<Place> leaves_;
  std::vector<std::vector<std::int64_t>> oblique_columns_;  // by tree, by node; -1 = not oblique
  std::size_t depth_ = 0;
  bool has_lookups_ = false;
  Value entries_;          // [rows, columns and linear combinations]
  Value reached_;          // [rows, trees]: the number of the node
  Value stopped_;          // [stopped rows]: the rows of `entries_`
  Value stopped_entries_;  // their entries
};

// Sets the outputs of a learner from shares of classes that LimitShares limits, or from means.
void SetTreeOutputs(plugin::OnnxGraph& graph, const plugin::OnnxGraph::Value& outputs,
                    std::size_t n_classes);

}  // namespace crossfold::bundled::tree
