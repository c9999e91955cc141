#include "onnx_parts.h"

namespace crossfold {

template class plugin::BasicOnnxGraph<std::string>;

namespace bundled {

OnnxValue LevelPlaces(plugin::OnnxGraph& graph, const OnnxValue& codes) {
  const OnnxValue known =
      graph.Node("Where", {graph.Node("IsNaN", {codes}), graph.Number(-1), codes});
  return graph.Node("Cast", {graph.Node("Add", {known, graph.Number(1)})},
                    {{"to", plugin::kOnnxInt64}});
}

OnnxValue SumInOrder(plugin::OnnxGraph& graph, const OnnxValue& terms) {
  const OnnxValue sums = graph.Node("CumSum", {terms, graph.Integer(1)});
  return graph.Node("Gather", {sums, graph.Integer(-1)}, {{"axis", 1}});
}

OnnxValue SumOfRow(plugin::OnnxGraph& graph, const OnnxValue& terms) {
  return graph.Node("Unsqueeze", {SumInOrder(graph, terms), graph.Axis(1)});
}

OnnxValue SpreadClasses(plugin::OnnxGraph& graph, const OnnxValue& shares,
                        std::span<const std::int32_t> indices, std::size_t n_classes) {
  if (indices.size() == n_classes) return shares;
  std::vector<double> places(indices.size() * n_classes);
  for (std::size_t k = 0; k < indices.size(); ++k) {
    places[k * n_classes + static_cast<std::size_t>(indices[k])] = 1;
  }
  return graph.Node("MatMul", {shares, graph.Numbers(places, {indices.size(), n_classes})});
}

OnnxValue LargestOf(plugin::OnnxGraph& graph, const OnnxValue& scores) {
  return graph.Node("ArgMax", {scores}, {{"axis", 1}, {"keepdims", 0}});
}

OnnxValue OnEveryRow(plugin::OnnxGraph& graph, const OnnxValue& row) {
  const OnnxValue zeros =
      graph.Node("Sub", {plugin::OnnxGraph::Column(0), plugin::OnnxGraph::Column(0)});
  const OnnxValue no_gaps =
      graph.Node("Where", {graph.Node("IsNaN", {zeros}), graph.Number(0), zeros});
  return graph.Node("Add", {no_gaps, row});
}

void SetClassOutputs(plugin::OnnxGraph& graph, const OnnxValue& probabilities) {
  graph.SetOutput("label", LargestOf(graph, probabilities));
  graph.SetOutput("probabilities", probabilities);
}

void SetValueOutput(plugin::OnnxGraph& graph, const OnnxValue& column) {
  graph.SetOutput("value", graph.Node("Squeeze", {column, graph.Axis(1)}));
}

OnnxValue AddLinearChange(plugin::OnnxGraph& graph, const LinearChange& change,
                          const OnnxValue& column) {
  const OnnxValue centred = graph.Node("Sub", {column, graph.Number(change.shift)});
  return graph.Node("Div", {centred, graph.Number(change.divisor)});
}

void SetSameColumns(const plugin::FeatureView& columns, plugin::OnnxGraph& graph) {
  SetChangedColumns(columns, graph, [](std::int64_t, const OnnxValue& column) { return column; });
}

}  // namespace bundled
}  // namespace crossfold
