// crossfold.synthesize/1: a transform that makes new training rows (SMOTE). It also has
// crossfold.resample/1.
//
//   static void Synthesize(const Params&, const TrainingView&,
//                          std::span<const std::int64_t> positions, ColumnSink&, const Context&);
//
// The host calls it after Resample with the same seed and view, and with the positions that
// Resample emitted. It writes the features of these rows. The target, weight, group and row id of
// row i stay those of positions[i].
// Law: the columns have the names, types and levels of the view's features, in the same order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "crossfold_plugin/column_sink.hpp"
#include "crossfold_plugin/component.hpp"
#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/draft.h"
#include "crossfold_plugin/error.hpp"
#include "crossfold_plugin/view.hpp"

namespace crossfold::plugin {

template <class T>
concept Synthesizes = requires(const typename T::Params& p, const TrainingView& t,
                               std::span<const std::int64_t> positions, ColumnSink& sink,
                               const Context& c) {
  T::Synthesize(p, t, positions, sink, c);
};

namespace internal {

template <class T>
cf_status CF_CALL SynthesizeCall(const cf_call* call, const cf_arg* args, std::size_t n_args,
                                 const cf_table* train, const std::int64_t* positions,
                                 std::int64_t n, const cf_column_sink* out) {
  return Guard(call, [&] {
    ColumnSink sink(*out, n);
    T::Synthesize(ParamsOf<T>(args, n_args), TrainingView(*train),
                  {positions, static_cast<std::size_t>(n)}, sink, Context(*call));
  });
}

template <class T>
const cf_cap_synthesize* SynthesizeTable() {
  static_assert(Synthesizes<T>,
                "Synthesize must be: static void Synthesize(const Params&, const TrainingView&, "
                "std::span<const std::int64_t>, ColumnSink&, const Context&)");
  static const cf_cap_synthesize table{sizeof(cf_cap_synthesize), 0, &SynthesizeCall<T>};
  return &table;
}

}  // namespace internal
}  // namespace crossfold::plugin
