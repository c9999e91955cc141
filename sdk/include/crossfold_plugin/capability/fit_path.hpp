// crossfold.fit-path/1: one fit for many values of the parameter flagged CF_PF_SUBMODEL.
//
//   static L FitPath(const Params&, std::string_view param, std::span<const cf_value> values,
//                    const TrainingView&, const Context&);
//
// and, for each Predict and PredictProba of the learner,
//
//   void PredictAt(std::size_t index, const FeatureView&, std::span<std::int32_t> labels,
//                  const Context&) const;
//   void PredictAt(std::size_t index, const FeatureView&, std::span<double> values,
//                  const Context&) const;
//   void PredictProbaAt(std::size_t index, const FeatureView&, std::span<double> rows_x_classes,
//                       const Context&) const;
//
// `index` is an index into `values`. FitPath ignores the member of Params that `param` names.
// Law: PredictAt(i) equals Predict of a separate fit with value i, byte for byte.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "crossfold_plugin/capability.h"
#include "crossfold_plugin/capability/model.hpp"
#include "crossfold_plugin/capability/predict.hpp"
#include "crossfold_plugin/component.hpp"

namespace crossfold::plugin {

template <class L>
concept PredictsLabelsAt = requires(const L& l, std::size_t i, const FeatureView& v,
                                    std::span<std::int32_t> out, const Context& c) {
  l.PredictAt(i, v, out, c);
};
template <class L>
concept PredictsValuesAt = requires(const L& l, std::size_t i, const FeatureView& v,
                                    std::span<double> out, const Context& c) {
  l.PredictAt(i, v, out, c);
};
template <class L>
concept PredictsProbabilitiesAt = requires(const L& l, std::size_t i, const FeatureView& v,
                                           std::span<double> out, const Context& c) {
  l.PredictProbaAt(i, v, out, c);
};
template <class L>
concept FitsPath = requires(const typename L::Params& p, std::string_view name,
                            std::span<const cf_value> values, const TrainingView& t,
                            const Context& c) {
  { L::FitPath(p, name, values, t, c) } -> std::same_as<L>;
};

namespace internal {

// A model at one of its values, so that Predict and PredictAt can share code.
template <class L>
class AtIndex {
 public:
  AtIndex(const L& model, std::size_t index) : model_(&model), index_(index) {}

  ModelShape shape() const requires KnowsShape<L> { return model_->shape(); }

  void Predict(const FeatureView& rows, std::span<std::int32_t> labels,
               const Context& c) const requires PredictsLabelsAt<L> {
    model_->PredictAt(index_, rows, labels, c);
  }
  void Predict(const FeatureView& rows, std::span<double> values,
               const Context& c) const requires PredictsValuesAt<L> {
    model_->PredictAt(index_, rows, values, c);
  }
  void PredictProba(const FeatureView& rows, std::span<double> out,
                    const Context& c) const requires PredictsProbabilitiesAt<L> {
    model_->PredictProbaAt(index_, rows, out, c);
  }

 private:
  const L* model_;
  std::size_t index_;
};

template <class T>
void RequireSubmodelParam(std::string_view name) {
  if (!HasFlag<T>(name, CF_PF_SUBMODEL)) {
    throw Error(CF_E_INVALID_ARGUMENT,
                "one fit cannot serve all values of '" + std::string(name) + "'");
  }
}

template <class L>
cf_status CF_CALL FitPathCall(const cf_call* call, const cf_arg* args, std::size_t n_args,
                              const char* param, const cf_value* values, std::size_t n_values,
                              const cf_table* train, cf_model** out) {
  *out = nullptr;
  return Guard(call, [&] {
    RequireSubmodelParam<L>(param);
    *out = NewModel<L>(L::FitPath(ParamsOf<L>(args, n_args), param, {values, n_values},
                                  TrainingView(*train), Context(*call)));
  });
}

template <class L>
cf_status CF_CALL PredictAtCall(const cf_call* call, const cf_model* model, std::size_t index,
                                const cf_table* rows, cf_prediction* out) {
  return Guard(call, [&] { PredictAll(AtIndex<L>(ModelOf<L>(model), index), *call, *rows, *out); });
}

template <class L>
const cf_cap_fit_path* FitPathTable() {
  static_assert(FitsPath<L>,
                "FitPath must be: static L FitPath(const Params&, std::string_view, "
                "std::span<const cf_value>, const TrainingView&, const Context&)");
  static_assert(HasAnyFlag<L>(CF_PF_SUBMODEL), "FitPath needs a parameter flagged CF_PF_SUBMODEL");
  static_assert(PredictsProbabilities<L> == PredictsProbabilitiesAt<L>,
                "FitPath needs PredictProbaAt exactly if there is a PredictProba");
  static_assert(
      PredictsLabels<L> == PredictsLabelsAt<L> && PredictsValues<L> == PredictsValuesAt<L>,
      "FitPath needs a PredictAt for each Predict");
  static const cf_cap_fit_path table{sizeof(cf_cap_fit_path), 0, &FitPathCall<L>,
                                     &PredictAtCall<L>};
  return &table;
}

}  // namespace internal
}  // namespace crossfold::plugin
