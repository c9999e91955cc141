// crossfold.incremental/1: a model to which rows are added and from which rows are removed.
//
//   L(const L&);   // makes the clone
//   void AddRows(const TrainingView&, const Context&);
//   void RemoveRows(const TrainingView&, const Context&);   // optional
//   static constexpr double kIncrementalTolerance = 1e-9;   // of scores and probabilities
//
// A learner that is exact byte for byte has `static constexpr bool kIncrementalExact = true;`
// instead of the tolerance.
// Law: RemoveRows(AddRows(m, r), r) = m; RemoveRows(Fit(all), f) = Fit(all without f); a clone is
// independent. After a failed AddRows or RemoveRows the model may only be destroyed.
#pragma once

#include <concepts>

#include "crossfold_plugin/capability/model.hpp"
#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/draft.h"
#include "crossfold_plugin/error.hpp"
#include "crossfold_plugin/model_shape.hpp"
#include "crossfold_plugin/view.hpp"

namespace crossfold::plugin {

template <class L>
concept AddsRows = std::copy_constructible<L> &&
    requires(L& l, const TrainingView& t, const Context& c) {
  l.AddRows(t, c);
};
template <class L>
concept RemovesRows = requires(L& l, const TrainingView& t, const Context& c) {
  l.RemoveRows(t, c);
};

namespace internal {

template <class L>
concept DeclaresExact = requires {
  { L::kIncrementalExact } -> std::convertible_to<bool>;
};
template <class L>
concept DeclaresTolerance = requires {
  { L::kIncrementalTolerance } -> std::convertible_to<double>;
};

template <class L>
cf_status CF_CALL CloneCall(const cf_call* call, const cf_model* model, cf_model** out) {
  *out = nullptr;
  return Guard(call, [&] { *out = NewModel<L>(L(ModelOf<L>(model))); });
}

// Returns the model if it is one of such rows.
template <class L>
L& ModelFor(cf_model* model, const TrainingView& rows) {
  RequireFeatures(ModelOf<L>(model), rows.num_features());
  RequireClasses(ModelOf<L>(model), rows.num_classes());
  return MutableModelOf<L>(model);
}

template <class L>
cf_status CF_CALL AddRowsCall(const cf_call* call, cf_model* model, const cf_table* rows) {
  return Guard(call, [&] {
    const TrainingView view(*rows);
    ModelFor<L>(model, view).AddRows(view, Context(*call));
  });
}

template <class L>
cf_status CF_CALL RemoveRowsCall(const cf_call* call, cf_model* model, const cf_table* rows) {
  return Guard(call, [&] {
    const TrainingView view(*rows);
    ModelFor<L>(model, view).RemoveRows(view, Context(*call));
  });
}

template <class L>
consteval bool IsExact() {
  if constexpr (DeclaresExact<L>) return L::kIncrementalExact;
  return false;
}

template <class L>
consteval double Tolerance() {
  if constexpr (DeclaresTolerance<L>) return L::kIncrementalTolerance;
  return 0;
}

template <class L>
const cf_cap_incremental* IncrementalTable() {
  static_assert(AddsRows<L>,
                "AddRows must be: void AddRows(const TrainingView&, const Context&), "
                "and the learner must be copyable");
  static_assert(IsExact<L>() != (Tolerance<L>() > 0),
                "AddRows needs either kIncrementalExact = true or a kIncrementalTolerance > 0");
  static const cf_cap_incremental table = [] {
    cf_cap_incremental t{sizeof(cf_cap_incremental),
                         IsExact<L>() ? 1u : 0u,
                         Tolerance<L>(),
                         &CloneCall<L>,
                         &AddRowsCall<L>,
                         nullptr};
    if constexpr (RemovesRows<L>) t.remove_rows = &RemoveRowsCall<L>;
    return t;
  }();
  return &table;
}

}  // namespace internal
}  // namespace crossfold::plugin
