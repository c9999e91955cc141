// crossfold.onnx/1: a fitted model as a graph of ONNX operators. Learners and transforms may have
// it.
//
//   void AddOnnx(const FeatureView& columns, OnnxGraph& graph, const Context&) const;
//
// `columns` are those that Fit got, without rows. A learner sets the output "label" and, if it
// gives probabilities, "probabilities", or in regression "value"; a transform sets one output per
// column that it makes, under the name of the column. Throw an Error for a model that ONNX cannot
// express. Shapes and types: docs/onnx.md.
//
// Law: the same model gives the same bytes.
#pragma once

#include <concepts>

#include "crossfold_plugin/capability/model.hpp"
#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/draft.h"
#include "crossfold_plugin/error.hpp"
#include "crossfold_plugin/model_shape.hpp"
#include "crossfold_plugin/onnx_graph.hpp"
#include "crossfold_plugin/stream.hpp"
#include "crossfold_plugin/view.hpp"

namespace crossfold::plugin {

template <class T>
concept AddsOnnx = requires(const T& t, const FeatureView& v, OnnxGraph& g, const Context& c) {
  { t.AddOnnx(v, g, c) } -> std::same_as<void>;
};

namespace internal {

template <class T>
cf_status CF_CALL WriteOnnxCall(const cf_call* call, const cf_model* model, const cf_table* columns,
                                const cf_writer* writer) {
  return Guard(call, [&] {
    const FeatureView view(*columns);
    const T& fitted = ModelOf<T>(model);
    RequireFeatures(fitted, view.num_features());
    OnnxGraph graph(view.num_features());
    fitted.AddOnnx(view, graph, Context(*call));
    Writer(*writer).WriteRaw(graph.ToJson());
  });
}

template <class T>
const cf_cap_onnx* OnnxTable() {
  static_assert(AddsOnnx<T>,
                "AddOnnx must be: void AddOnnx(const FeatureView&, OnnxGraph&, const Context&) "
                "const");
  static const cf_cap_onnx table{sizeof(cf_cap_onnx), 0, &WriteOnnxCall<T>};
  return &table;
}

}  // namespace internal
}  // namespace crossfold::plugin
