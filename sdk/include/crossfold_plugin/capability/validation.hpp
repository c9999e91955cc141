// crossfold.validation/1: a fit that stops or chooses by rows that it is not fitted on.
//
//   static L FitValidated(const Params&, const TrainingView& train,
//                         const TrainingView& validation, const Context&);
//   static constexpr std::array<const char*, 1> kValidationParams = {"patience"};   // optional
//
// `validation` has the features and classes of `train`; a class may be in one of both only.
// kValidationParams names the parameters that have an effect in FitValidated only. Law: the result
// follows from the set of the validation rows, where rows of weight 0 are absent, and predicts as
// that of Fit does.
#pragma once

#include <concepts>
#include <cstddef>

#include "crossfold_plugin/capability/model.hpp"
#include "crossfold_plugin/component.hpp"
#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/draft.h"
#include "crossfold_plugin/error.hpp"
#include "crossfold_plugin/view.hpp"

namespace crossfold::plugin {

template <class L>
concept FitsValidated = requires(const typename L::Params& p, const TrainingView& train,
                                 const TrainingView& validation, const Context& c) {
  { L::FitValidated(p, train, validation, c) } -> std::same_as<L>;
};

namespace internal {

template <class L>
concept NamesValidationParams = requires {
  L::kValidationParams.size();
};

template <class L>
cf_status CF_CALL FitValidatedCall(const cf_call* call, const cf_arg* args, std::size_t n_args,
                                   const cf_table* train, const cf_table* validation,
                                   cf_model** out) {
  *out = nullptr;
  return Guard(call, [&] {
    *out = NewModel<L>(L::FitValidated(ParamsOf<L>(args, n_args), TrainingView(*train),
                                       TrainingView(*validation), Context(*call)));
  });
}

template <class L>
const cf_cap_validation* ValidationTable() {
  static_assert(FitsValidated<L>,
                "FitValidated must be: static L FitValidated(const Params&, const TrainingView&, "
                "const TrainingView&, const Context&)");
  static const cf_cap_validation table = [] {
    cf_cap_validation t{sizeof(cf_cap_validation), 0, &FitValidatedCall<L>, nullptr, 0};
    if constexpr (NamesValidationParams<L>) {
      t.params = L::kValidationParams.data();
      t.n_params = L::kValidationParams.size();
    }
    return t;
  }();
  return &table;
}

}  // namespace internal
}  // namespace crossfold::plugin
