// The model as ONNX operators: distances to all training rows, the k nearest, their votes.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../onnx_parts.h"
#include "model.h"

namespace crossfold::knn {
namespace {

using plugin::OnnxGraph;
using Value = OnnxGraph::Value;

// Adds up over the features, in their order, so that equal distances stay equal.
class OnnxDistances {
 public:
  OnnxDistances(OnnxGraph& graph, const Index& index) : graph_(graph), index_(index) {}

  // [rows, training rows]
  Value Keys(const Metric& metric, std::span<const GowerFeature> gower) {
    if (metric.form() == Form::kGower) return GowerKeys(gower);
    Value keys;
    for (std::size_t j = 0; j < index_.num_features(); ++j) {
      const Value difference = graph_.Node("Abs", {Difference(j)});
      const char* const join = metric.form() == Form::kLargest ? "Max" : "Add";
      const Value term = TermOf(metric, difference);
      keys = j == 0 ? term : graph_.Node(join, {keys, term});
    }
    return keys;
  }

 private:
  Value Difference(std::size_t j) {
    std::vector<double> entries;
    for (std::size_t i = 0; i < index_.num_rows(); ++i) entries.push_back(index_.entry(i, j));
    return graph_.Node("Sub", {OnnxGraph::Column(static_cast<std::int64_t>(j)),
                               graph_.Numbers(entries, {1, entries.size()})});
  }

  Value TermOf(const Metric& metric, const Value& difference) {
    if (metric.form() == Form::kSquares) return graph_.Node("Mul", {difference, difference});
    if (metric.form() != Form::kPowers) return difference;
    return graph_.Node("Pow", {difference, graph_.Number(metric.p())});
  }

  Value GowerKeys(std::span<const GowerFeature> features) {
    Value sum, count;
    for (std::size_t j = 0; j < features.size(); ++j) {
      const Value difference = graph_.Node("Abs", {Difference(j)});
      const Value is_missing = graph_.Node("IsNaN", {difference});
      const Value term =
          graph_.Node("Where", {is_missing, graph_.Number(0), GowerTerm(features[j], difference)});
      const Value known = graph_.Node("Where", {is_missing, graph_.Number(0), graph_.Number(1)});
      sum = j == 0 ? term : graph_.Node("Add", {sum, term});
      count = j == 0 ? known : graph_.Node("Add", {count, known});
    }
    const Value is_known = graph_.Node("Greater", {count, graph_.Number(0)});
    return graph_.Node("Where", {is_known, graph_.Node("Div", {sum, count}), graph_.Number(1)});
  }

  Value GowerTerm(const GowerFeature& feature, const Value& difference) {
    if (!feature.nominal) {
      return graph_.Node("Mul", {difference, graph_.Number(feature.inverse_range)});
    }
    const Value differs = graph_.Node("Greater", {difference, graph_.Number(0)});
    return graph_.Node("Cast", {differs}, {{"to", plugin::kOnnxDouble}});
  }

  OnnxGraph& graph_;
  const Index& index_;
};

// Metric::Length of the keys.
Value LengthsOf(OnnxGraph& graph, const Metric& metric, const Value& keys) {
  if (metric.form() == Form::kSquares) return graph.Node("Sqrt", {keys});
  if (metric.form() != Form::kPowers) return keys;
  return graph.Node("Pow", {keys, graph.Number(1 / metric.p())});
}

// The weight of each of the nearest rows [rows, k], as Ballot gives it.
Value WeightsOf(OnnxGraph& graph, const Metric& metric, Weights weights, const Value& keys) {
  if (weights == Weights::kUniform) {
    const Value is_any = graph.Node("Equal", {keys, keys});
    return graph.Node("Cast", {is_any}, {{"to", plugin::kOnnxDouble}});
  }
  const Value lengths = LengthsOf(graph, metric, keys);
  const Value nearest = graph.Node("Gather", {lengths, graph.Axis(0)}, {{"axis", 1}});
  const Value is_zero = graph.Node("Equal", {lengths, graph.Number(0)});
  const Value has_zero = graph.Node("Equal", {nearest, graph.Number(0)});
  const Value zeros = graph.Node("Cast", {is_zero}, {{"to", plugin::kOnnxDouble}});
  return graph.Node("Where", {has_zero, zeros, graph.Node("Div", {nearest, lengths})});
}

}  // namespace

void Knn::AddOnnx(const plugin::FeatureView&, OnnxGraph& graph, const plugin::Context&) const {
  if (params_.distance == Distance::kMahalanobis) {
    throw plugin::Error(CF_E_UNSUPPORTED,
                        "distance = mahalanobis has no ONNX form; use another distance");
  }
  const std::int64_t k = path_.empty() ? params_.k : path_.front();
  const Metric metric = Metric::Of(params_, space_.gower());
  const Value keys = OnnxDistances(graph, index_).Keys(metric, space_.gower());
  // Equal keys come in the order of the training rows, which is that of their ids.
  const auto [nearest_keys, nearest] = graph.SmallestInRows(keys, k);
  const Value weights = WeightsOf(graph, metric, params_.weights, nearest_keys);
  const Value total = bundled::SumOfRow(graph, weights);
  const std::size_t n_rows = row_ids_.size();
  if (n_classes_ == 0) {
    const Value values = graph.Node("Gather", {graph.Numbers(values_, {n_rows}), nearest});
    const Value sum = bundled::SumOfRow(graph, graph.Node("Mul", {weights, values}));
    return bundled::SetValueOutput(graph, graph.Node("Div", {sum, total}));
  }
  std::vector<double> votes(n_rows * n_classes_);
  for (std::size_t i = 0; i < n_rows; ++i) {
    votes[i * n_classes_ + static_cast<std::size_t>(labels_[i])] = 1;
  }
  const Value cast = graph.Node("Gather", {graph.Numbers(votes, {n_rows, n_classes_}), nearest});
  const Value weighed =
      graph.Node("Mul", {graph.Node("Unsqueeze", {weights, graph.Axis(2)}), cast});
  const Value sums = bundled::SumInOrder(graph, weighed);
  bundled::SetClassOutputs(graph, graph.Node("Div", {sums, total}));
}

}  // namespace crossfold::knn
