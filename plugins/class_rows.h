// What transforms share that change the number of rows of each class.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "crossfold_plugin.hpp"
#include "onnx_parts.h"
#include "used_rows.h"

namespace crossfold::bundled {

// The rows of each class that has some, in the order of their row ids; the class with the lowest id
// is first. So what is drawn from them depends neither on the order of the training rows nor on
// that of the classes.
inline std::vector<Positions> RowsByClass(const plugin::TrainingView& train) {
  std::vector<Positions> classes(static_cast<std::size_t>(train.num_classes()));
  for (std::int64_t i = 0; i < train.num_rows(); ++i) {
    classes[static_cast<std::size_t>(train.label(i))].push_back(i);
  }
  std::erase_if(classes, [](const Positions& rows) { return rows.empty(); });
  for (Positions& rows : classes) SortByRowId(train, rows);
  std::ranges::sort(classes, {}, [&](const Positions& rows) { return train.row_id(rows.front()); });
  return classes;
}

inline std::size_t LargestClass(const std::vector<Positions>& classes) {
  std::size_t largest = 0;
  for (const Positions& rows : classes) largest = std::max(largest, rows.size());
  return largest;
}

inline std::size_t SmallestClass(const std::vector<Positions>& classes) {
  std::size_t smallest = LargestClass(classes);
  for (const Positions& rows : classes) smallest = std::min(smallest, rows.size());
  return smallest;
}

// The part of a transform that only resamples: it learns nothing and columns pass.
template <class T>
struct PassesColumns {
  static constexpr std::uint32_t kFormatVersion = 1;

  template <class Params>
  static T Fit(const Params&, const plugin::TrainingView&, const plugin::Context&) {
    return {};
  }
  void Apply(const plugin::FeatureView& rows, plugin::ColumnSink& out,
             const plugin::Context&) const {
    for (std::int64_t j = 0; j < rows.num_features(); ++j) out.Pass(j);
  }
  void AddOnnx(const plugin::FeatureView& columns, plugin::OnnxGraph& graph,
               const plugin::Context&) const {
    SetSameColumns(columns, graph);
  }
  void Save(plugin::Writer&) const {}
  static T Load(plugin::Reader&) { return {}; }
};

}  // namespace crossfold::bundled
