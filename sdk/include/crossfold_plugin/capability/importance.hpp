// crossfold.importance/1: how much each feature mattered to a model.
//
//   void Importance(std::span<double> one_per_feature, const Context&) const;
//
// Law: there is one finite number per feature; permuting the columns permutes the numbers.
#pragma once

#include <cstddef>
#include <span>

#include "crossfold_plugin/capability.h"
#include "crossfold_plugin/capability/model.hpp"
#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/error.hpp"
#include "crossfold_plugin/model_shape.hpp"

namespace crossfold::plugin {

template <class L>
concept TellsImportance = requires(const L& l, std::span<double> out, const Context& c) {
  l.Importance(out, c);
};

namespace internal {

template <class L>
cf_status CF_CALL ImportanceCall(const cf_call* call, const cf_model* model, double* out,
                                 std::size_t n_features) {
  return Guard(call, [&] {
    RequireFeatures(ModelOf<L>(model), static_cast<std::int64_t>(n_features));
    ModelOf<L>(model).Importance({out, n_features}, Context(*call));
  });
}

template <class L>
const cf_cap_importance* ImportanceTable() {
  static_assert(TellsImportance<L>,
                "Importance must be: void Importance(std::span<double>, const Context&) const");
  static const cf_cap_importance table{sizeof(cf_cap_importance), 0, &ImportanceCall<L>};
  return &table;
}

}  // namespace internal
}  // namespace crossfold::plugin
