// crossfold.warm-start/1: a fit that starts from the model of a neighbouring setting.
//
//   static L FitFrom(const Params&, const TrainingView&, const L& start, const Context&);
//
// `start` has the features and the classes of these rows, but may come from other rows and other
// settings. FitFrom does not change it, and throws an Error if it cannot start from it. The result
// is not exact, so the only law is that of Fit: it is used only when a script asks for it.
#pragma once

#include <concepts>
#include <cstddef>

#include "crossfold_plugin/capability/model.hpp"
#include "crossfold_plugin/component.hpp"
#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/draft.h"
#include "crossfold_plugin/error.hpp"
#include "crossfold_plugin/model_shape.hpp"
#include "crossfold_plugin/view.hpp"

namespace crossfold::plugin {

template <class L>
concept FitsFrom = requires(const typename L::Params& p, const TrainingView& t, const L& start,
                            const Context& c) {
  { L::FitFrom(p, t, start, c) } -> std::same_as<L>;
};

namespace internal {

template <class L>
cf_status CF_CALL FitFromCall(const cf_call* call, const cf_arg* args, std::size_t n_args,
                              const cf_table* train, const cf_model* start, cf_model** out) {
  *out = nullptr;
  return Guard(call, [&] {
    const TrainingView view(*train);
    const L& earlier = ModelOf<L>(start);
    RequireFeatures(earlier, view.num_features());
    RequireClasses(earlier, view.num_classes());
    *out = NewModel<L>(L::FitFrom(ParamsOf<L>(args, n_args), view, earlier, Context(*call)));
  });
}

template <class L>
const cf_cap_warm_start* WarmStartTable() {
  static_assert(FitsFrom<L>,
                "FitFrom must be: static L FitFrom(const Params&, const TrainingView&, "
                "const L& start, const Context&)");
  static const cf_cap_warm_start table{sizeof(cf_cap_warm_start), 0, &FitFromCall<L>};
  return &table;
}

}  // namespace internal
}  // namespace crossfold::plugin
