#include "prune.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "../weight_unit.h"
#include "crossfold_plugin/error.hpp"
#include "impurity.h"
#include "normal_quantile.h"
#include "predict.h"

namespace crossfold::bundled::tree {

namespace {

// Quinlan's programs: an estimate may be worse by this many errors.
constexpr double kEstimateSlack = 0.1;
constexpr double kTrainingSlack = 1e-3;
constexpr double kRounding = 1e-6;  // of sums of fractional weights

std::size_t Majority(std::span<const double> class_weights) {
  return static_cast<std::size_t>(std::max_element(class_weights.begin(), class_weights.end()) -
                                  class_weights.begin());
}

double SumOf(std::span<const double> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

// Training errors of the node as a leaf. A node without rows has none.
double TrainingErrors(const Tree& tree, std::size_t node) {
  if (tree.nodes[node].weight <= 0) return 0;
  const std::span<const double> output = tree.output(node);
  return tree.nodes[node].weight - output[Majority(output)];
}

// Bottom up: a node whose own cost is at most that of its subtree becomes a leaf. The cost of a
// subtree is the sum over its leaves. Children come after their parents, so a loop is enough.
template <class CostAsLeaf>
void PruneBottomUp(Tree& tree, double slack, CostAsLeaf&& cost_as_leaf) {
  std::vector<double> cost(tree.nodes.size());
  for (std::size_t i = tree.nodes.size(); i > 0; --i) {
    const std::size_t node = i - 1;
    const double as_leaf = cost_as_leaf(node);
    cost[node] = as_leaf;
    const Node& n = tree.nodes[node];
    if (n.n_children == 0) continue;
    double subtree = 0;
    for (std::uint32_t c = 0; c < n.n_children; ++c) subtree += cost[n.first_child + c];
    if (as_leaf <= subtree + slack) {
      MakeLeaf(tree, node);
    } else {
      cost[node] = subtree;
    }
  }
}

// Calls visit(node, weight) for every node that a part of the row comes to.
template <class Visit>
void VisitPath(const Tree& tree, const double* row, double weight, Visit&& visit) {
  std::vector<std::pair<std::size_t, double>> waiting = {{0, weight}};
  while (!waiting.empty()) {
    const auto [node, part] = waiting.back();
    waiting.pop_back();
    visit(node, part);
    const Node& n = tree.nodes[node];
    if (n.n_children == 0) continue;
    const int child = ChildOf(tree, n, row);
    if (child != kUnknownChild) {
      waiting.push_back({n.first_child + static_cast<std::size_t>(child), part});
      continue;
    }
    for (std::uint32_t c = 0; c < n.n_children; ++c) {
      const double share = tree.nodes[n.first_child + c].share;
      if (share > 0) waiting.push_back({n.first_child + c, part * share});
    }
  }
}

}  // namespace

void PruneReducedError(Tree& tree, const LabelledRows& validation) {
  std::vector<double> errors(tree.nodes.size(), 0.0);
  double total = 0;
  for (std::size_t i = 0; i < validation.size(); ++i) {
    VisitPath(tree, validation.row(i), validation.weights[i], [&](std::size_t node, double part) {
      const std::span<const double> output = tree.output(node);
      double error = 0;
      if (validation.labels.empty()) {
        error = (validation.values[i] - output[0]) * (validation.values[i] - output[0]);
      } else {
        error = static_cast<std::size_t>(validation.labels[i]) == Majority(output) ? 0 : 1;
      }
      errors[node] += part * error;
      if (node == 0) total += part * error;
    });
  }
  PruneBottomUp(tree, 1e-12 * total, [&](std::size_t node) { return errors[node]; });
}

void PrunePessimistic(Tree& tree, double per_leaf) {
  PruneBottomUp(tree, kRounding,
                [&](std::size_t node) { return TrainingErrors(tree, node) + per_leaf; });
}

void PruneCostComplexity(Tree& tree, double alpha) {
  const double total = tree.nodes[0].weight;
  PruneBottomUp(tree, 1e-12 * tree.nodes[0].impurity, [&](std::size_t node) {
    return tree.nodes[node].weight * tree.nodes[node].impurity / total + alpha;
  });
}

double AddedErrors(double weight, double errors, double confidence) {
  if (weight <= 0 || confidence > 0.5) return 0;
  if (errors < 1) {
    // No error: weight rows without one have probability `confidence` at this rate.
    const double none = weight * (1 - std::pow(confidence, 1 / weight));
    if (errors <= 0) return none;
    return none + errors * (AddedErrors(weight, 1, confidence) - none);
  }
  if (errors + 0.5 >= weight) return std::max(weight - errors, 0.0);
  const double z = NormalQuantile(1 - confidence);
  const double rate = (errors + 0.5) / weight, z2 = z * z;
  const double spread =
      std::sqrt(rate / weight - rate * rate / weight + z2 / (4 * weight * weight));
  const double upper = (rate + z2 / (2 * weight) + z * spread) / (1 + z2 / weight);
  return upper * weight - errors;
}

namespace {

// Some of the training rows, in parts.
struct Portion {
  std::vector<std::uint32_t> rows;
  std::vector<double> weights;
};

class ErrorBasedPruner {
 public:
  ErrorBasedPruner(Tree& tree, const ErrorBased& options, const LabelledRows& training)
      : tree_(tree), options_(options), training_(training), unit_(SumOf(training.weights)) {}

  void Run() {
    PruneBottomUp(tree_, kTrainingSlack,
                  [&](std::size_t node) { return TrainingErrors(tree_, node); });
    if (!options_.raising) {
      PruneBottomUp(tree_, kEstimateSlack + kRounding,
                    [&](std::size_t node) { return Estimate(node); });
      return;
    }
    const std::size_t depth = tree_.depth();
    if (depth > kMaxRaisingDepth) {
      throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                          "the tree is " + std::to_string(depth) +
                              " levels deep; subtree_raising takes at most " +
                              std::to_string(kMaxRaisingDepth) + ", so set max_depth");
    }
    Portion all;
    all.rows.resize(training_.size());
    std::iota(all.rows.begin(), all.rows.end(), std::uint32_t{0});
    all.weights.assign(training_.weights.begin(), training_.weights.end());
    unit_.Round(all.weights);
    Prune(0, all);
  }

 private:
  double EstimateOf(double weight, double errors) const {
    return errors + AddedErrors(weight, errors, options_.confidence);
  }
  double Estimate(std::size_t node) const {
    return EstimateOf(tree_.nodes[node].weight, TrainingErrors(tree_, node));
  }
  double EstimateOfSubtree(std::size_t node) const {
    const Node& n = tree_.nodes[node];
    if (n.n_children == 0) return Estimate(node);
    double sum = 0;
    for (std::uint32_t c = 0; c < n.n_children; ++c) sum += EstimateOfSubtree(n.first_child + c);
    return sum;
  }

  std::vector<double> ClassWeights(const Portion& portion) const {
    std::vector<double> weights(tree_.n_outputs(), 0.0);
    for (std::size_t i = 0; i < portion.rows.size(); ++i) {
      weights[static_cast<std::size_t>(training_.labels[portion.rows[i]])] += portion.weights[i];
    }
    return weights;
  }

  // The rows by child. Those without an answer go everywhere, by the shares of the others.
  struct Division {
    std::vector<Portion> children;
    std::vector<double> shares;
    std::vector<double> known;  // class weights of the rows with an answer
    std::vector<std::vector<double>> known_of_child;
  };
  Division Divide(std::size_t node, const Portion& portion) const {
    const Node& n = tree_.nodes[node];
    Division d;
    d.children.resize(n.n_children);
    std::vector<std::size_t> unknown;
    for (std::size_t i = 0; i < portion.rows.size(); ++i) {
      const int child = ChildOf(tree_, n, training_.row(portion.rows[i]));
      if (child == kUnknownChild) {
        unknown.push_back(i);
        continue;
      }
      Portion& to = d.children[static_cast<std::size_t>(child)];
      to.rows.push_back(portion.rows[i]);
      to.weights.push_back(portion.weights[i]);
    }
    d.known.assign(tree_.n_outputs(), 0.0);
    for (const Portion& child : d.children) {
      d.known_of_child.push_back(ClassWeights(child));
      for (std::size_t c = 0; c < d.known.size(); ++c) d.known[c] += d.known_of_child.back()[c];
    }
    SetShares(n, d);
    for (const std::size_t i : unknown) {
      for (std::size_t c = 0; c < d.children.size(); ++c) {
        if (d.shares[c] <= 0) continue;
        d.children[c].rows.push_back(portion.rows[i]);
        d.children[c].weights.push_back(unit_.Round(portion.weights[i] * d.shares[c]));
      }
    }
    return d;
  }

  // If no row has an answer, the shares stay what they were.
  void SetShares(const Node& n, Division& d) const {
    const double known = SumOf(d.known);
    for (std::uint32_t c = 0; c < n.n_children; ++c) {
      d.shares.push_back(known > 0 ? SumOf(d.known_of_child[c]) / known
                                   : tree_.nodes[n.first_child + c].share);
    }
  }

  // Returns the estimated errors of the subtree if these rows came to it.
  double EstimateOfBranch(std::size_t node, const Portion& portion) const {
    if (tree_.nodes[node].n_children == 0) {
      const std::vector<double> weights = ClassWeights(portion);
      const double total = SumOf(weights);
      return EstimateOf(total, total - weights[Majority(weights)]);
    }
    const Division d = Divide(node, portion);
    double sum = 0;
    for (std::size_t c = 0; c < d.children.size(); ++c) {
      sum += EstimateOfBranch(tree_.nodes[node].first_child + c, d.children[c]);
    }
    return sum;
  }

  // Of children of the same weight, the last, as in J48.
  std::size_t LargestChild(std::size_t node) const {
    const Node& n = tree_.nodes[node];
    std::size_t largest = n.first_child;
    for (std::size_t c = n.first_child + 1; c < n.first_child + n.n_children; ++c) {
      if (tree_.nodes[c].weight >= tree_.nodes[largest].weight - kRounding) largest = c;
    }
    return largest;
  }

  void Prune(std::size_t node, const Portion& portion) {
    // Each round removes a level, so this ends.
    while (tree_.nodes[node].n_children > 0) {
      PruneChildren(node, portion);
      const std::size_t largest = LargestChild(node);
      const double as_leaf = Estimate(node), as_tree = EstimateOfSubtree(node);
      const double as_branch = EstimateOfBranch(largest, portion);
      if (as_leaf <= as_tree + kEstimateSlack + kRounding &&
          as_leaf <= as_branch + kEstimateSlack + kRounding) {
        MakeLeaf(tree_, node);
        return;
      }
      if (as_branch > as_tree + kEstimateSlack + kRounding) return;
      Raise(node, largest);
      Redistribute(node, portion);
    }
  }

  void PruneChildren(std::size_t node, const Portion& portion) {
    const Division d = Divide(node, portion);
    for (std::size_t c = 0; c < d.children.size(); ++c) {
      Prune(tree_.nodes[node].first_child + c, d.children[c]);
    }
  }

  // The node takes over the test of the child.
  void Raise(std::size_t node, std::size_t child) {
    const Node from = tree_.nodes[child];
    Node& to = tree_.nodes[node];
    const double weight = to.weight, share = to.share, impurity = to.impurity;
    to = from;
    to.weight = weight;
    to.share = share;
    to.impurity = impurity;
  }

  // Sets the data of the rows of nodes, from `node` down.
  void Redistribute(std::size_t node, const Portion& portion) {
    if (tree_.nodes[node].n_children == 0) return;
    const Division d = Divide(node, portion);
    SetGain(node, d);
    const std::size_t first = tree_.nodes[node].first_child;
    for (std::size_t c = 0; c < d.children.size(); ++c) {
      Node& child = tree_.nodes[first + c];
      child.share = d.shares[c];
      const std::vector<double> weights = ClassWeights(d.children[c]);
      child.weight = SumOf(weights);
      child.impurity = child.weight > 0 ? ImpurityOf(weights) / child.weight : 0;
      const std::span<double> output = tree_.output(first + c);
      if (child.weight > 0) {
        std::copy(weights.begin(), weights.end(), output.begin());
      } else {
        const std::span<const double> parent = std::as_const(tree_).output(node);
        std::copy(parent.begin(), parent.end(), output.begin());
      }
      Redistribute(first + c, d.children[c]);
    }
  }

  double ImpurityOf(const std::vector<double>& weights) const {
    if (options_.gini) return GiniImpurity(0)(weights.data(), weights.size());
    return EntropyImpurity(0)(weights.data(), weights.size());
  }

  void SetGain(std::size_t node, const Division& d) {
    double decrease = ImpurityOf(d.known);
    for (const auto& child : d.known_of_child) decrease -= ImpurityOf(child);
    Node& n = tree_.nodes[node];
    n.gain = n.weight > 0 ? std::max(decrease, 0.0) / n.weight : 0;
    n.merit = n.gain;
  }

  Tree& tree_;
  const ErrorBased& options_;
  const LabelledRows& training_;
  WeightUnit unit_;
};

}  // namespace

void PruneErrorBased(Tree& tree, const ErrorBased& options, const LabelledRows& training) {
  ErrorBasedPruner(tree, options, training).Run();
}

}  // namespace crossfold::bundled::tree
