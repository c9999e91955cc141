// A learner in C++ is a struct L with
//
//   static constexpr cf::LearnerInfo kInfo{.component = {.id = "org.example.l"}};
//   struct Params { std::int64_t k = 5; };
//   static constexpr auto kSchema = cf::Schema(cf::Integer(
//       "k", &Params::k, {.low = 1}, "Number of neighbours.", {.flags = CF_PF_SUBMODEL}));
//   static L Fit(const Params&, const cf::TrainingView&, const cf::Context&);
//
// and with one or more of
//
//   void Predict(const cf::FeatureView&, std::span<std::int32_t> labels, const cf::Context&) const;
//   void Predict(const cf::FeatureView&, std::span<double> values, const cf::Context&) const;
//   void PredictProba(const cf::FeatureView&, std::span<double> rows_x_classes,
//                     const cf::Context&) const;
//
// With PredictProba alone, the label is the most probable class; ties go to the lower index. With
// shape() (model_shape.hpp) these functions get only rows and arrays that fit the model. The SDK
// finds further capabilities by their functions: see capabilities.hpp.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>

#include "crossfold_plugin/capabilities.hpp"
#include "crossfold_plugin/component.hpp"
#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/learner.h"
#include "crossfold_plugin/view.hpp"

namespace crossfold::plugin {

struct LearnerInfo {
  ComponentInfo component;
  std::uint32_t tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS;
  std::uint32_t accepts = CF_ACCEPTS_NUMERIC;
};

namespace internal {

template <class L>
class LearnerAdapter {
  static constexpr bool kClassifies = (L::kInfo.tasks & (CF_TASK_BINARY | CF_TASK_MULTICLASS)) != 0;
  static constexpr bool kRegresses = (L::kInfo.tasks & CF_TASK_REGRESSION) != 0;
  static_assert(!kClassifies || PredictsLabels<L> || PredictsProbabilities<L>,
                "a classifier needs Predict(view, span<int32_t>, context) or PredictProba");
  static_assert(!kRegresses || PredictsValues<L>,
                "a regressor needs Predict(view, span<double>, context)");

 public:
  static const cf_learner* Table() {
    static const cf_learner table = Make();
    return &table;
  }

 private:
  [[gnu::cold]] static cf_learner Make() {
    cf_learner t{};
    t.struct_size = sizeof(cf_learner);
    t.info = MakeInfo<L>();
    t.tasks = L::kInfo.tasks;
    t.accepts = L::kInfo.accepts;
    t.fit = &Fit;
    t.predict = &Predict;
    t.destroy = &DestroyModel<L>;
    t.get_capability = &LearnerCapability<L>;
    return t;
  }

  static cf_status CF_CALL Fit(const cf_call* call, const cf_arg* args, std::size_t n_args,
                               const cf_table* train, cf_model** out) {
    *out = nullptr;
    return Guard(call, [&] {
      *out = NewModel<L>(L::Fit(ParamsOf<L>(args, n_args), TrainingView(*train), Context(*call)));
    });
  }

  static cf_status CF_CALL Predict(const cf_call* call, const cf_model* model, const cf_table* rows,
                                   cf_prediction* out) {
    return Guard(call, [&] { PredictPlain(ModelOf<L>(model), *call, *rows, *out); });
  }
};

}  // namespace internal
}  // namespace crossfold::plugin
