// Log scores of columns as ONNX operators: what each kind of column adds to the scores of all
// classes, [rows, classes]. A missing entry adds nothing.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../onnx_parts.h"
#include "params.h"

namespace crossfold::bundled {

// Columns with a normal distribution in every class; `means` and `variances` are classes x columns.
inline OnnxValue OnnxNormalScores(plugin::OnnxGraph& graph, std::span<const std::int64_t> columns,
                                  std::span<const double> means, std::span<const double> variances,
                                  std::size_t n_classes) {
  const std::size_t d = columns.size();
  std::vector<double> precisions, half_logs;
  for (const double variance : variances) {
    precisions.push_back(1 / variance);
    half_logs.push_back(0.5 * std::log(variance));
  }
  const auto table = [&](std::span<const double> numbers) {
    return graph.Numbers(numbers, {1, n_classes, d});
  };
  const OnnxValue chosen =
      graph.Node("Gather", {graph.Columns(), graph.Integers(columns, {d})}, {{"axis", 1}});
  const OnnxValue x = graph.Node("Unsqueeze", {chosen, graph.Axis(1)});
  const OnnxValue difference = graph.Node("Sub", {x, table(means)});
  const OnnxValue distance =
      graph.Node("Mul", {graph.Node("Mul", {difference, table(precisions)}), difference});
  const OnnxValue minus_log =
      graph.Node("Add", {graph.Node("Mul", {distance, graph.Number(0.5)}), table(half_logs)});
  const OnnxValue known =
      graph.Node("Where", {graph.Node("IsNaN", {minus_log}), graph.Number(0), minus_log});
  const OnnxValue sum = graph.Node("ReduceSum", {known, graph.Axis(2)}, {{"keepdims", 0}});
  return graph.Node("Neg", {sum});
}

// A column of levels; `log_shares` are levels x classes.
inline OnnxValue OnnxLevelScores(plugin::OnnxGraph& graph, const OnnxValue& column,
                                 std::span<const double> log_shares, std::size_t n_classes) {
  std::vector<double> table(n_classes, 0);  // a missing entry
  table.insert(table.end(), log_shares.begin(), log_shares.end());
  const OnnxValue scores = graph.Node(
      "Gather",
      {graph.Numbers(table, {table.size() / n_classes, n_classes}), LevelPlaces(graph, column)});
  return graph.Node("Squeeze", {scores, graph.Axis(1)});
}

// x slope for each class, where 0 times any slope is 0.
inline OnnxValue OnnxProducts(plugin::OnnxGraph& graph, const OnnxValue& x,
                              std::span<const double> slopes) {
  const OnnxValue products = graph.Node("Mul", {x, graph.Numbers(slopes, {1, slopes.size()})});
  const OnnxValue is_zero = graph.Node("Equal", {x, graph.Number(0)});
  return graph.Node("Where", {is_zero, graph.Number(0), products});
}

// The scores where the entry is known, else 0.
inline OnnxValue OnnxWhereKnown(plugin::OnnxGraph& graph, const OnnxValue& column,
                                const OnnxValue& scores) {
  return graph.Node("Where", {graph.Node("IsNaN", {column}), graph.Number(0), scores});
}

// ScoresToProbabilities.
inline OnnxValue OnnxProbabilities(plugin::OnnxGraph& graph, const OnnxValue& scores,
                                   const ClassPriors& priors) {
  const OnnxValue best = graph.Node("ReduceMax", {scores}, {{"axes", 1, true}, {"keepdims", 1}});
  const OnnxValue is_possible = graph.Node("Greater", {best, graph.Number(-HUGE_VAL)});
  const OnnxValue logs = graph.Numbers(priors.logs, {1, priors.logs.size()});
  return graph.Node("Softmax", {graph.Node("Where", {is_possible, scores, logs})}, {{"axis", 1}});
}

}  // namespace crossfold::bundled
