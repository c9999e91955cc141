// A transform in C++ is a struct T with
//
//   static constexpr cf::TransformInfo kInfo{.component = {.id = "org.example.t"}};
//   struct Params { double low = 0; };
//   static constexpr auto kSchema =
//       cf::Schema(cf::Real("low", &Params::low, {}, "What the smallest entry becomes."));
//   static T Fit(const Params&, const cf::TrainingView&, const cf::Context&);
//   void Apply(const cf::FeatureView&, cf::ColumnSink&, const cf::Context&) const;
//
// With shape() (model_shape.hpp) Apply gets only rows with the model's number of features. The SDK
// finds further capabilities by their functions: see capabilities.hpp.
#pragma once

#include <cstdint>

#include "crossfold_plugin/capabilities.hpp"
#include "crossfold_plugin/column_sink.hpp"
#include "crossfold_plugin/component.hpp"
#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/learner.h"
#include "crossfold_plugin/model_shape.hpp"
#include "crossfold_plugin/transform.h"
#include "crossfold_plugin/view.hpp"

namespace crossfold::plugin {

struct TransformInfo {
  ComponentInfo component;
  std::uint32_t tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS | CF_TASK_REGRESSION;
  std::uint32_t accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL | CF_ACCEPTS_MISSING |
                          CF_ACCEPTS_WEIGHTS | CF_ACCEPTS_NO_FEATURES;
};

namespace internal {

template <class T>
class TransformAdapter {
 public:
  static const cf_transform* Table() {
    static const cf_transform table = Make();
    return &table;
  }

 private:
  [[gnu::cold]] static cf_transform Make() {
    cf_transform t{};
    t.struct_size = sizeof(cf_transform);
    t.info = MakeInfo<T>();
    t.tasks = T::kInfo.tasks;
    t.accepts = T::kInfo.accepts;
    t.fit = &Fit;
    t.apply = &Apply;
    t.destroy = &DestroyModel<T>;
    t.get_capability = &TransformCapability<T>;
    return t;
  }

  static cf_status CF_CALL Fit(const cf_call* call, const cf_arg* args, std::size_t n_args,
                               const cf_table* train, cf_model** out) {
    *out = nullptr;
    return Guard(call, [&] {
      *out = NewModel<T>(T::Fit(ParamsOf<T>(args, n_args), TrainingView(*train), Context(*call)));
    });
  }

  static cf_status CF_CALL Apply(const cf_call* call, const cf_model* model, const cf_table* rows,
                                 const cf_column_sink* out) {
    return Guard(call, [&] {
      RequireFeatures(ModelOf<T>(model), rows->n_features);
      ColumnSink sink(*out, rows->n_rows);
      ModelOf<T>(model).Apply(FeatureView(*rows), sink, Context(*call));
    });
  }
};

}  // namespace internal
}  // namespace crossfold::plugin
