// Parts of ONNX graphs that several plugins need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "crossfold_plugin.hpp"
#include "numeric_columns.h"

namespace crossfold::bundled {

using OnnxValue = plugin::OnnxGraph::Value;

// The numbers of levels as integers, one more than the code: 0 = missing. Of any shape.
inline OnnxValue LevelPlaces(plugin::OnnxGraph& graph, const OnnxValue& codes) {
  const OnnxValue known =
      graph.Node("Where", {graph.Node("IsNaN", {codes}), graph.Number(-1), codes});
  return graph.Node("Cast", {graph.Node("Add", {known, graph.Number(1)})},
                    {{"to", plugin::kOnnxInt64}});
}

// The last of the running sums along axis 1, so that numbers are added in their order, as these
// plugins do: then equal scores stay equal.
inline OnnxValue SumInOrder(plugin::OnnxGraph& graph, const OnnxValue& terms) {
  const OnnxValue sums = graph.Node("CumSum", {terms, graph.Integer(1)});
  return graph.Node("Gather", {sums, graph.Integer(-1)}, {{"axis", 1}});
}

// [rows, n] -> [rows, 1]
inline OnnxValue SumOfRow(plugin::OnnxGraph& graph, const OnnxValue& terms) {
  return graph.Node("Unsqueeze", {SumInOrder(graph, terms), graph.Axis(1)});
}

// Spreads columns of the classes with these indices over all classes; the others get 0.
inline OnnxValue SpreadClasses(plugin::OnnxGraph& graph, const OnnxValue& shares,
                               std::span<const std::int32_t> indices, std::size_t n_classes) {
  if (indices.size() == n_classes) return shares;
  std::vector<double> places(indices.size() * n_classes);
  for (std::size_t k = 0; k < indices.size(); ++k) {
    places[k * n_classes + static_cast<std::size_t>(indices[k])] = 1;
  }
  return graph.Node("MatMul", {shares, graph.Numbers(places, {indices.size(), n_classes})});
}

// The label is the class with the largest score, the first of several. [rows, classes] -> [rows].
inline OnnxValue LargestOf(plugin::OnnxGraph& graph, const OnnxValue& scores) {
  return graph.Node("ArgMax", {scores}, {{"axis", 1}, {"keepdims", 0}});
}

// The same for every row: [1, n] -> [rows, n]. REQUIRES: there are columns.
inline OnnxValue OnEveryRow(plugin::OnnxGraph& graph, const OnnxValue& row) {
  const OnnxValue zeros =
      graph.Node("Sub", {plugin::OnnxGraph::Column(0), plugin::OnnxGraph::Column(0)});
  const OnnxValue no_gaps =
      graph.Node("Where", {graph.Node("IsNaN", {zeros}), graph.Number(0), zeros});
  return graph.Node("Add", {no_gaps, row});
}

// Sets the outputs of a learner whose labels follow from its probabilities.
inline void SetClassOutputs(plugin::OnnxGraph& graph, const OnnxValue& probabilities) {
  graph.SetOutput("label", LargestOf(graph, probabilities));
  graph.SetOutput("probabilities", probabilities);
}

// [rows, 1] -> [rows]: the value of a regression.
inline void SetValueOutput(plugin::OnnxGraph& graph, const OnnxValue& column) {
  graph.SetOutput("value", graph.Node("Squeeze", {column, graph.Axis(1)}));
}

// Sets one output per column, as ChangeNumericColumns does: change(j, column) returns the new value
// of numeric column j.
template <class Change>
void SetChangedColumns(const plugin::FeatureView& columns, plugin::OnnxGraph& graph,
                       const Change& change) {
  for (std::int64_t j = 0; j < columns.num_features(); ++j) {
    const OnnxValue column = graph.Column(j);
    graph.SetOutput(columns.name(j), columns.is_categorical(j) ? column : change(j, column));
  }
}

inline OnnxValue AddLinearChange(plugin::OnnxGraph& graph, const LinearChange& change,
                                 const OnnxValue& column) {
  const OnnxValue centred = graph.Node("Sub", {column, graph.Number(change.shift)});
  return graph.Node("Div", {centred, graph.Number(change.divisor)});
}

// Sets an output for every column, unchanged: transforms that only choose training rows.
inline void SetSameColumns(const plugin::FeatureView& columns, plugin::OnnxGraph& graph) {
  SetChangedColumns(columns, graph, [](std::int64_t, const OnnxValue& column) { return column; });
}

}  // namespace crossfold::bundled
