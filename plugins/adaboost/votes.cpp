#include "votes.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "../feature_text.h"
#include "../onnx_parts.h"
#include "../tree/onnx.h"
#include "stump_tree.h"

namespace crossfold::bundled::adaboost {

Voters::Voters(const Boosted& boosted) {
  for (const double prior : boosted.priors) is_present_.push_back(prior > 0);
  for (const Hypothesis& h : boosted.hypotheses) {
    const std::optional<Stump> stump = AsStump(h.tree);
    if (!stump) {
      stumps_.clear();
      return;
    }
    StumpVoter voter{static_cast<std::size_t>(stump->feature), stump->threshold, std::abs(h.weight),
                     stump->labels};
    if (h.weight < 0) {
      for (std::size_t& label : voter.labels) label = OtherClass(label);
    }
    stumps_.push_back(voter);
  }
}

void Voters::Vote(const Boosted& boosted, Range used, const plugin::FeatureView& rows,
                  std::span<double> votes, const plugin::Context& context) const {
  const std::size_t n_classes = is_present_.size();
  const auto n_rows = static_cast<std::size_t>(rows.num_rows());
  const bool by_stumps = stumps_.size() == boosted.hypotheses.size();
  Block block;
  std::vector<double> planes(n_classes * kRowsPerBlock);
  for (std::size_t first = 0; first < n_rows; first += kRowsPerBlock) {
    context.Progress(static_cast<double>(first) / static_cast<double>(n_rows));
    Read(rows, first, block);
    if (by_stumps) VoteByStumps(used, block, planes);
    for (std::size_t i = 0; i < block.n_rows; ++i) {
      const std::span<double> out = votes.subspan((first + i) * n_classes, n_classes);
      if (by_stumps && block.is_complete[i]) {
        for (std::size_t c = 0; c < n_classes; ++c) out[c] = planes[c * kRowsPerBlock + i];
      } else {
        VoteByTrees(boosted, used, block, i, out);
      }
    }
  }
}

void Voters::Read(const plugin::FeatureView& rows, std::size_t first, Block& block) {
  block.n_rows = std::min(kRowsPerBlock, static_cast<std::size_t>(rows.num_rows()) - first);
  block.entries.resize(static_cast<std::size_t>(rows.num_features()) * kRowsPerBlock);
  block.is_complete.fill(true);
  for (std::int64_t j = 0; j < rows.num_features(); ++j) {
    double* entries = block.entries.data() + static_cast<std::size_t>(j) * kRowsPerBlock;
    for (std::size_t i = 0; i < block.n_rows; ++i) {
      entries[i] = rows.x(static_cast<std::int64_t>(first + i), j);
      if (std::isfinite(entries[i])) continue;
      RefuseInfinite(rows, j, entries[i]);
      block.is_complete[i] = false;
    }
  }
}

// `planes`: class by class, kRowsPerBlock apart. Adding 0 where a row has another label changes no
// bit of a sum, so that rows can be taken side by side.
void Voters::VoteByStumps(Range used, const Block& block, std::vector<double>& planes) const {
  std::fill(planes.begin(), planes.end(), 0.0);
  for (std::size_t t = used.begin; t < used.end; ++t) {
    const StumpVoter& voter = stumps_[t];
    double* below = planes.data() + voter.labels[0] * kRowsPerBlock;
    double* above = planes.data() + voter.labels[1] * kRowsPerBlock;
    const double weight = voter.weight, threshold = voter.threshold;
    if (below == above) {
      for (std::size_t i = 0; i < kRowsPerBlock; ++i) below[i] += weight;
      continue;
    }
    const double* entries = block.entries.data() + voter.feature * kRowsPerBlock;
    for (std::size_t i = 0; i < kRowsPerBlock; ++i) {
      below[i] += entries[i] <= threshold ? weight : 0;
    }
    for (std::size_t i = 0; i < kRowsPerBlock; ++i) {
      above[i] += entries[i] <= threshold ? 0 : weight;
    }
  }
}

// Row i of the block. A flipped hypothesis votes for the other one of the two classes that the
// training rows have.
void Voters::VoteByTrees(const Boosted& boosted, Range used, const Block& block, std::size_t i,
                         std::span<double> votes) const {
  std::vector<double> row, scratch(votes.size());
  for (std::size_t e = i; e < block.entries.size(); e += kRowsPerBlock) {
    row.push_back(block.entries[e]);
  }
  std::fill(votes.begin(), votes.end(), 0.0);
  for (std::size_t t = used.begin; t < used.end; ++t) {
    const Hypothesis& h = boosted.hypotheses[t];
    votes[VotedClass(h, LabelOf(h.tree, row.data(), scratch))] += std::abs(h.weight);
  }
}

std::size_t Voters::OtherClass(std::size_t label) const {
  for (std::size_t c = 0; c < is_present_.size(); ++c) {
    if (c != label && is_present_[c]) return c;
  }
  return label;
}

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
