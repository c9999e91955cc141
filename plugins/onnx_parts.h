// Parts of ONNX graphs that several plugins need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "crossfold_plugin.hpp"
#include "numeric_columns.h"

namespace crossfold {

// Compiled once, in onnx_parts.cpp.
extern template class plugin::BasicOnnxGraph<std::string>;

namespace bundled {

using OnnxValue = plugin::OnnxGraph::Value;

// The numbers of levels as integers, one more than the code: 0 = missing. Of any shape.
OnnxValue LevelPlaces(plugin::OnnxGraph& graph, const OnnxValue& codes);

// The last of the running sums along axis 1, so that numbers are added in their order, as these
// plugins do: then equal scores stay equal.
OnnxValue SumInOrder(plugin::OnnxGraph& graph, const OnnxValue& terms);

// [rows, n] -> [rows, 1]
OnnxValue SumOfRow(plugin::OnnxGraph& graph, const OnnxValue& terms);

// Spreads columns of the classes with these indices over all classes; the others get 0.
OnnxValue SpreadClasses(plugin::OnnxGraph& graph, const OnnxValue& shares,
                        std::span<const std::int32_t> indices, std::size_t n_classes);

// The label is the class with the largest score, the first of several. [rows, classes] -> [rows].
OnnxValue LargestOf(plugin::OnnxGraph& graph, const OnnxValue& scores);

// The same for every row: [1, n] -> [rows, n]. REQUIRES: there are columns.
OnnxValue OnEveryRow(plugin::OnnxGraph& graph, const OnnxValue& row);

// Sets the outputs of a learner whose labels follow from its probabilities.
void SetClassOutputs(plugin::OnnxGraph& graph, const OnnxValue& probabilities);

// [rows, 1] -> [rows]: the value of a regression.
void SetValueOutput(plugin::OnnxGraph& graph, const OnnxValue& column);

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

OnnxValue AddLinearChange(plugin::OnnxGraph& graph, const LinearChange& change,
                          const OnnxValue& column);

// Sets an output for every column, unchanged: transforms that only choose training rows.
void SetSameColumns(const plugin::FeatureView& columns, plugin::OnnxGraph& graph);

}  // namespace bundled
}  // namespace crossfold
