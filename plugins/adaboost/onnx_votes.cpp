// Votes as ONNX operators.
#include <algorithm>
#include <cmath>

#include "../onnx_parts.h"
#include "../tree/onnx.h"
#include "stump_tree.h"
#include "votes.h"

namespace crossfold::bundled::adaboost {
namespace {

using plugin::OnnxGraph;

// HeaviestClass of the shares [rows, trees, classes], which sum to 1: [rows, trees].
OnnxGraph::Value HeaviestClasses(OnnxGraph& graph, const OnnxGraph::Value& shares) {
  const auto largest = graph.Node("ReduceMax", {shares}, {{"axes", 2, true}, {"keepdims", 1}});
  const auto least = graph.Node("Sub", {largest, graph.Number(kEqualShare)});
  const auto is_tied = graph.Node("Cast", {graph.Node("GreaterOrEqual", {shares, least})},
                                  {{"to", plugin::kOnnxInt64}});
  return graph.Node("ArgMax", {is_tied}, {{"axis", 2}, {"keepdims", 0}});
}

// The class shares of rows that take several branches: [rows, trees, classes].
OnnxGraph::Value SharesOfClasses(OnnxGraph& graph, tree::OnnxTrees& trees, std::size_t n_classes) {
  // The leaves of every tree, filled up to the same number with a leaf that no row reaches.
  const std::vector<std::size_t>& first = trees.first_leaves();
  const std::size_t n_trees = first.size() - 1, n_leaves = trees.num_leaves();
  std::size_t most = 0;
  for (std::size_t t = 0; t < n_trees; ++t) most = std::max(most, first[t + 1] - first[t]);
  const std::vector<double> outputs = trees.LeafOutputs(0);
  std::vector<std::int64_t> places(n_trees * most, static_cast<std::int64_t>(n_leaves));
  std::vector<double> shares(n_trees * most * n_classes);
  for (std::size_t t = 0; t < n_trees; ++t) {
    for (std::size_t l = first[t]; l < first[t + 1]; ++l) {
      const std::size_t place = t * most + l - first[t];
      places[place] = static_cast<std::int64_t>(l);
      std::copy_n(outputs.begin() + static_cast<std::ptrdiff_t>(l * n_classes), n_classes,
                  shares.begin() + static_cast<std::ptrdiff_t>(place * n_classes));
    }
  }
  const auto of_leaves = trees.SharesOfLeaves();
  const auto first_column = graph.Node("Gather", {of_leaves, graph.Axis(0)}, {{"axis", 1}});
  const auto none = graph.Node("Sub", {first_column, first_column});
  const auto padded = graph.Node("Concat", {of_leaves, none}, {{"axis", 1}});
  const auto by_tree =
      graph.Node("Gather", {padded, graph.Integers(places, {n_trees, most})}, {{"axis", 1}});
  const auto products = graph.Node("Mul", {graph.Node("Unsqueeze", {by_tree, graph.Axis(3)}),
                                           graph.Numbers(shares, {1, n_trees, most, n_classes})});
  return graph.Node("ReduceSum", {products, graph.Axis(2)}, {{"keepdims", 0}});
}

}  // namespace

OnnxGraph::Value Voters::AddOnnxVotes(const Boosted& boosted, Range used,
                                      const plugin::FeatureView& columns, OnnxGraph& graph) const {
  const std::size_t n_classes = is_present_.size();
  std::vector<const tree::Tree*> used_trees;
  std::vector<std::int64_t> first_labels;       // of each tree, in `votes`
  std::vector<double> leaf_votes, label_votes;  // leaves x classes, trees x labels x classes
  const auto add_vote = [&](const Hypothesis& h, std::size_t label, std::vector<double>& votes) {
    votes.resize(votes.size() + n_classes);
    votes[votes.size() - n_classes + VotedClass(h, label)] = std::abs(h.weight);
  };
  for (std::size_t t = used.begin; t < used.end; ++t) {
    const Hypothesis& h = boosted.hypotheses[t];
    used_trees.push_back(&h.tree);
    first_labels.push_back(static_cast<std::int64_t>(label_votes.size() / n_classes));
    for (std::size_t c = 0; c < n_classes; ++c) add_vote(h, c, label_votes);
  }
  tree::OnnxTrees trees(used_trees, columns, graph);
  const std::vector<double> outputs = trees.LeafOutputs(0);
  for (std::size_t t = 0; t < used_trees.size(); ++t) {
    for (std::size_t l = trees.first_leaves()[t]; l < trees.first_leaves()[t + 1]; ++l) {
      const auto shares = std::span(outputs).subspan(l * n_classes, n_classes);
      add_vote(boosted.hypotheses[used.begin + t], HeaviestClass(shares), leaf_votes);
    }
  }
  OnnxGraph::Value of_others;
  if (trees.has_splits()) {
    const auto labels = HeaviestClasses(graph, SharesOfClasses(graph, trees, n_classes));
    const auto places =
        graph.Node("Add", {labels, graph.Integers(first_labels, {1, first_labels.size()})});
    const auto table = graph.Numbers(label_votes, {used_trees.size() * n_classes, n_classes});
    of_others = SumInOrder(graph, graph.Node("Gather", {table, places}));
  }
  return trees.Sum(graph.Numbers(leaf_votes, {trees.num_leaves(), n_classes}), of_others);
}

}  // namespace crossfold::bundled::adaboost
