// crossfold.resample/1: a transform that chooses, repeats or weights the training rows (over- and
// undersampling). It is only applied to training rows.
//
//   static void Resample(const Params&, const TrainingView&, RowSink&, const Context&);
//
// Law: it emits exactly once, and at least one row; rows are positions in the view, not row ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "crossfold_plugin/capability.h"
#include "crossfold_plugin/component.hpp"
#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/error.hpp"
#include "crossfold_plugin/view.hpp"

namespace crossfold::plugin {

// The rows that the next step trains on. The host copies them.
class RowSink {
 public:
  explicit RowSink(const cf_row_sink& sink) : sink_(&sink) {}

  // Emits positions in the view, which may repeat, with one weight per position or none. Call it
  // once.
  void Emit(std::span<const std::int64_t> positions, std::span<const double> weights = {}) {
    if (emitted_) throw Error(CF_E_INTERNAL, "Resample emitted rows twice");
    if (positions.empty()) throw Error(CF_E_UNSUPPORTED_DATA, "no training row is left");
    if (!weights.empty() && weights.size() != positions.size()) {
      throw Error(CF_E_INTERNAL, "Resample emitted a different number of weights and rows");
    }
    const cf_status status =
        sink_->emit_rows(sink_, positions.data(), static_cast<std::int64_t>(positions.size()),
                         weights.empty() ? nullptr : weights.data());
    if (status != CF_OK) throw Error(status, "the host refused the rows");
    emitted_ = true;
  }
  bool emitted() const { return emitted_; }

 private:
  const cf_row_sink* sink_;
  bool emitted_ = false;
};

template <class T>
concept Resamples = requires(const typename T::Params& p, const TrainingView& t, RowSink& sink,
                             const Context& c) {
  T::Resample(p, t, sink, c);
};

namespace internal {

template <class T>
cf_status CF_CALL ResampleCall(const cf_call* call, const cf_arg* args, std::size_t n_args,
                               const cf_table* train, const cf_row_sink* sink) {
  return Guard(call, [&] {
    RowSink rows(*sink);
    T::Resample(ParamsOf<T>(args, n_args), TrainingView(*train), rows, Context(*call));
    if (!rows.emitted()) throw Error(CF_E_INTERNAL, "Resample emitted no rows");
  });
}

template <class T>
const cf_cap_resample* ResampleTable() {
  static_assert(Resamples<T>,
                "Resample must be: static void Resample(const Params&, const TrainingView&, "
                "RowSink&, const Context&)");
  static const cf_cap_resample table{sizeof(cf_cap_resample), 0, &ResampleCall<T>};
  return &table;
}

}  // namespace internal
}  // namespace crossfold::plugin
