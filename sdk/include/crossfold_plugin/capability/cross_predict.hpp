// crossfold.cross-predict/1: every out-of-fold prediction of a partition, for a group of settings,
// in one call (such as kNN with one neighbour pass, or trees with one presort).
//
//   static void CrossPredict(std::span<const Params> settings, const TrainingView& rows,
//                            std::span<const std::int32_t> fold_of_row, std::int32_t n_folds,
//                            CrossSink&, const Context&);
//
// A learner with Prepare may also have
//
//   static void CrossPredictPrepared(std::span<const Params> settings, const Prepared&,
//                                    const TrainingView& rows,
//                                    std::span<const std::int32_t> fold_of_row,
//                                    std::int32_t n_folds, CrossSink&, const Context&);
//
// Without this constant the predictions are equal byte for byte:
//
//   static constexpr double kCrossPredictTolerance = 1e-9;
//
// Row i belongs to fold_of_row[i]; -1 means that it is always trained on. A prediction for fold f
// uses no target of fold f. It depends only on the rows, the rows of the fold, the setting and its
// seed.
// Law: what the sink receives equals separate fits, byte for byte or within the tolerance.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "crossfold_plugin/capability.h"
#include "crossfold_plugin/capability/prepare.hpp"
#include "crossfold_plugin/component.hpp"
#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/error.hpp"
#include "crossfold_plugin/metric.h"
#include "crossfold_plugin/view.hpp"

namespace crossfold::plugin {

// Predictions of some positions. Fill what the sink wants, and leave the rest empty.
struct CrossPrediction {
  std::span<const std::int32_t> labels = {};
  std::span<const double> values = {};
  std::span<const double> probabilities = {};  // row-major, positions x classes
};

// The sink of out-of-fold predictions. Any thread of the call may use it.
class CrossSink {
 public:
  CrossSink(const cf_cross_sink& sink, std::int64_t n_classes)
      : sink_(&sink), n_classes_(n_classes) {}

  bool wants_labels() const { return (sink_->wanted & CF_NEEDS_LABELS) != 0; }
  bool wants_values() const { return (sink_->wanted & CF_NEEDS_VALUES) != 0; }
  bool wants_probabilities() const { return (sink_->wanted & CF_NEEDS_PROBABILITIES) != 0; }

  // Returns the seed that a separate fit of this setting and fold would get.
  std::uint64_t Seed(std::size_t setting, std::int32_t fold) const {
    return sink_->seed(sink_, setting, fold);
  }

  // Emits predictions for view positions of one setting, in any order and any portions.
  void Emit(std::size_t setting, std::span<const std::int64_t> positions,
            const CrossPrediction& prediction) const {
    const std::size_t n = positions.size();
    RequireLength("labels", prediction.labels.size(), n);
    RequireLength("values", prediction.values.size(), n);
    RequireLength("probabilities", prediction.probabilities.size(),
                  n * static_cast<std::size_t>(n_classes_));
    cf_prediction_view out{};
    out.struct_size = sizeof(cf_prediction_view);
    out.n_rows = static_cast<std::int64_t>(n);
    out.n_classes = n_classes_;
    out.labels = DataOrNull(prediction.labels);
    out.values = DataOrNull(prediction.values);
    out.probabilities = DataOrNull(prediction.probabilities);
    const cf_status status = sink_->emit(sink_, setting, positions.data(), out.n_rows, &out);
    if (status != CF_OK) throw Error(status, "the host refused the predictions");
  }

  // Reports why this setting has no prediction in this fold (-1 = in all).
  void Fail(std::size_t setting, std::int32_t fold, cf_status code, const std::string& why) const {
    sink_->fail(sink_, setting, fold, code, why.c_str());
  }

  // Runs `body`. An exception fails only this setting and fold; a cancellation stops the call.
  template <class Body>
  void Try(std::size_t setting, std::int32_t fold, Body&& body) const {
    const cf_status status = internal::Translate(body, [&](cf_status code, const char* text) {
      if (code != CF_E_CANCELLED) sink_->fail(sink_, setting, fold, code, text);
    });
    if (status == CF_E_CANCELLED) throw Error(CF_E_CANCELLED, "cancelled by the host");
  }

 private:
  static void RequireLength(const char* what, std::size_t size, std::size_t expected) {
    if (size != 0 && size != expected) {
      throw Error(CF_E_INTERNAL, "expected " + std::to_string(expected) + " " + what + ", got " +
                                     std::to_string(size));
    }
  }
  template <class T>
  static const T* DataOrNull(std::span<const T> entries) {
    return entries.empty() ? nullptr : entries.data();
  }

  const cf_cross_sink* sink_;
  std::int64_t n_classes_;
};

template <class L>
concept CrossPredicts = requires(std::span<const typename L::Params> settings,
                                 const TrainingView& rows, std::span<const std::int32_t> folds,
                                 std::int32_t n_folds, CrossSink& sink, const Context& c) {
  L::CrossPredict(settings, rows, folds, n_folds, sink, c);
};
template <class L>
concept CrossPredictsPrepared = requires(std::span<const typename L::Params> settings,
                                         const typename L::Prepared& prepared,
                                         const TrainingView& rows,
                                         std::span<const std::int32_t> folds, std::int32_t n_folds,
                                         CrossSink& sink, const Context& c) {
  L::CrossPredictPrepared(settings, prepared, rows, folds, n_folds, sink, c);
};

namespace internal {

template <class L>
cf_status CF_CALL CrossPredictCall(const cf_call* call, const cf_setting* settings,
                                   std::size_t n_settings, const cf_table* table,
                                   const std::int32_t* fold_of_row, std::int32_t n_folds,
                                   [[maybe_unused]] const cf_prepared* prepared,
                                   const cf_cross_sink* sink) {
  return Guard(call, [&] {
    std::vector<typename L::Params> params;
    params.reserve(n_settings);
    for (const cf_setting& s : std::span(settings, n_settings)) {
      params.push_back(ParamsOf<L>(s.args, s.n_args));
    }
    const TrainingView rows(*table);
    const std::span<const std::int32_t> folds(fold_of_row,
                                              static_cast<std::size_t>(rows.num_rows()));
    CrossSink out(*sink, rows.num_classes());
    const Context context(*call);
    if constexpr (CrossPredictsPrepared<L>) {
      if (prepared != nullptr) {
        L::CrossPredictPrepared(params, PreparedOf<L>(prepared), rows, folds, n_folds, out,
                                context);
        return;
      }
    }
    L::CrossPredict(params, rows, folds, n_folds, out, context);
  });
}

template <class L>
concept DeclaresCrossTolerance = requires {
  { L::kCrossPredictTolerance } -> std::convertible_to<double>;
};

template <class L>
consteval double CrossTolerance() {
  if constexpr (DeclaresCrossTolerance<L>) return L::kCrossPredictTolerance;
  return 0;
}

template <class L>
const cf_cap_cross_predict* CrossPredictTable() {
  static_assert(CrossPredicts<L>,
                "CrossPredict must be: static void CrossPredict(std::span<const Params>, "
                "const TrainingView&, std::span<const std::int32_t> fold_of_row, "
                "std::int32_t n_folds, CrossSink&, const Context&)");
  static const cf_cap_cross_predict table{sizeof(cf_cap_cross_predict), 0, &CrossPredictCall<L>,
                                          CrossTolerance<L>()};
  return &table;
}

}  // namespace internal
}  // namespace crossfold::plugin
