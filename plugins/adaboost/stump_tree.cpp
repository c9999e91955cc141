#include "stump_tree.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace crossfold::bundled::adaboost {
namespace {

double Total(std::span<const double> weights) {
  double total = 0;
  for (const double w : weights) total += w;
  return total;
}

double Gini(std::span<const double> weights) {
  const double total = Total(weights);
  double squares = 0;
  for (const double w : weights) squares += (w / total) * (w / total);
  return std::max(1 - squares, 0.0);
}

// Halfway, or the lower value where the middle would be rounded to the upper one.
double Between(double low, double high) {
  // Halved first: the sum of two large numbers may not exist.
  const double middle =
      std::abs(low) < 1e300 && std::abs(high) < 1e300 ? (low + high) / 2 : low / 2 + high / 2;
  return middle < high ? middle : low;
}

void AddNode(tree::Tree& t, std::span<const double> weights, double share) {
  tree::Node& node = t.nodes.emplace_back();
  node.weight = Total(weights);
  node.share = share;
  node.impurity = Gini(weights);
  t.outputs.insert(t.outputs.end(), weights.begin(), weights.end());
}

}  // namespace

tree::Tree StumpTree(std::span<const double> all, const std::optional<StumpSides>& sides) {
  tree::Tree t;
  t.n_classes = all.size();
  AddNode(t, all, 1);
  if (!sides) return t;
  const double share = Total(sides->left) / Total(all);
  AddNode(t, sides->left, share);
  AddNode(t, sides->right, 1 - share);
  tree::Node& root = t.nodes[0];
  root.kind = tree::NodeKind::kThreshold;
  root.feature = static_cast<std::int32_t>(sides->feature);
  root.threshold = Between(sides->low, sides->high);
  root.first_child = 1;
  root.n_children = 2;
  root.gain = std::max(
      root.impurity - share * t.nodes[1].impurity - (1 - share) * t.nodes[2].impurity, 0.0);
  root.merit = root.gain;
  return t;
}

tree::Tree StumpTree(const StumpFinder& finder, const tree::TrainingColumns& columns,
                     const std::optional<StumpCut>& cut) {
  if (!cut) return StumpTree(finder.AllWeights(), std::nullopt);
  auto [left, right] = finder.WeightsOfSides(*cut);
  const std::vector<double>& distinct = columns.columns[cut->feature].distinct;
  return StumpTree(finder.AllWeights(),
                   StumpSides{cut->feature, distinct[cut->cut], distinct[cut->next],
                              std::move(left), std::move(right)});
}

std::optional<Stump> AsStump(const tree::Tree& tree) {
  const tree::Node& root = tree.nodes[0];
  if (root.n_children == 0)
    return Stump{0, 0, {HeaviestClass(tree.output(0)), HeaviestClass(tree.output(0))}};
  const std::size_t left = root.first_child;
  if (root.kind != tree::NodeKind::kThreshold || tree.nodes[left].n_children > 0 ||
      tree.nodes[left + 1].n_children > 0) {
    return std::nullopt;
  }
  return Stump{root.feature,
               root.threshold,
               {HeaviestClass(tree.output(left)), HeaviestClass(tree.output(left + 1))}};
}

std::size_t HeaviestClass(std::span<const double> class_weights) {
  // In a model that was not saved by this plugin the sum may be below 0 or not finite.
  const double least = *std::max_element(class_weights.begin(), class_weights.end()) -
                       kEqualShare * std::abs(Total(class_weights));
  const auto is_lighter = [&](double w) { return w < least; };
  return static_cast<std::size_t>(
      std::find_if_not(class_weights.begin(), class_weights.end(), is_lighter) -
      class_weights.begin());
}

}  // namespace crossfold::bundled::adaboost
