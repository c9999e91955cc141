// Prediction, crossfold.proba/1 and crossfold.scores/1. A learner has one or more of
//
//   void Predict(const FeatureView&, std::span<std::int32_t> labels, const Context&) const;
//   void Predict(const FeatureView&, std::span<double> values, const Context&) const;
//   void PredictProba(const FeatureView&, std::span<double> rows_x_classes, const Context&) const;
//
// With PredictProba it offers crossfold.proba/1. With PredictProba alone, the label is the most
// probable class; ties go to the lower index.
// Law: labels equal those of predict(); all probabilities are within [0, 1]; every row sums to 1
// within 1e-6; a class that the training rows lack gets 0.
//
// A learner that with some parameters has scores instead of probabilities offers
// crossfold.scores/1 by both of
//
//   static bool ReplacesProbabilities(const Params&);
//   void PredictScores(const FeatureView&, std::span<double> rows_x_classes, const Context&) const;
//
// Law: scores are finite, and those of a row do not depend on the other rows.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "crossfold_plugin/capability.h"
#include "crossfold_plugin/capability/model.hpp"
#include "crossfold_plugin/component.hpp"
#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/draft.h"
#include "crossfold_plugin/error.hpp"
#include "crossfold_plugin/model_shape.hpp"
#include "crossfold_plugin/view.hpp"

namespace crossfold::plugin {

template <class L>
concept PredictsLabels = requires(const L& l, const FeatureView& v, std::span<std::int32_t> out,
                                  const Context& c) {
  l.Predict(v, out, c);
};
template <class L>
concept PredictsValues = requires(const L& l, const FeatureView& v, std::span<double> out,
                                  const Context& c) {
  l.Predict(v, out, c);
};
template <class L>
concept PredictsProbabilities = requires(const L& l, const FeatureView& v, std::span<double> out,
                                         const Context& c) {
  l.PredictProba(v, out, c);
};

template <class L>
concept PredictsScores = requires(const L& l, const typename L::Params& p, const FeatureView& v,
                                  std::span<double> out, const Context& c) {
  { L::ReplacesProbabilities(p) } -> std::same_as<bool>;
  l.PredictScores(v, out, c);
};

namespace internal {

// Finds the index of the largest entry of each row; ties go to the lower index.
inline void MostProbable(std::span<const double> probabilities, std::int64_t n_classes,
                         std::span<std::int32_t> labels) {
  const auto k = static_cast<std::size_t>(n_classes);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto row = probabilities.subspan(i * k, k);
    labels[i] = static_cast<std::int32_t>(std::max_element(row.begin(), row.end()) - row.begin());
  }
}

// `probabilities` are those of the same rows if they are already computed; empty = not yet.
template <class L>
void PredictLabelsInto(const L& model, const Context& context, const FeatureView& rows,
                       const cf_prediction& out, std::span<const double> probabilities) {
  const std::span<std::int32_t> labels(out.labels, static_cast<std::size_t>(out.n_rows));
  if constexpr (PredictsLabels<L>) {
    model.Predict(rows, labels, context);
  } else if constexpr (PredictsProbabilities<L>) {
    if (!probabilities.empty() || labels.empty()) {
      MostProbable(probabilities, out.n_classes, labels);
      return;
    }
    std::vector<double> scratch(labels.size() * static_cast<std::size_t>(out.n_classes));
    model.PredictProba(rows, scratch, context);
    MostProbable(scratch, out.n_classes, labels);
  } else {
    throw Error(CF_E_UNSUPPORTED, "this learner does not predict labels");
  }
}

// Predicts labels or values, whichever arrays are there.
template <class L>
void PredictPlain(const L& model, const cf_call& call, const cf_table& rows,
                  const cf_prediction& out, std::span<const double> probabilities = {}) {
  const Context context(call);
  const FeatureView view(rows);
  cf_prediction shape = out;
  if constexpr (PredictsScores<L>) {
    if (out.n_classes > 0) shape.values = nullptr;  // scores are of the classes
  }
  RequireShape(model, view, shape);
  if (out.labels != nullptr) PredictLabelsInto(model, context, view, out, probabilities);
  if (out.values != nullptr && out.n_classes > 0) {
    if constexpr (PredictsScores<L>) {
      model.PredictScores(
          view, std::span(out.values, static_cast<std::size_t>(out.n_rows * out.n_classes)),
          context);
    } else {
      throw Error(CF_E_UNSUPPORTED, "this learner does not predict scores");
    }
  } else if (out.values != nullptr) {
    if constexpr (PredictsValues<L>) {
      model.Predict(view, std::span<double>(out.values, static_cast<std::size_t>(out.n_rows)),
                    context);
    } else {
      throw Error(CF_E_UNSUPPORTED, "this learner does not predict values");
    }
  }
}

// Fills every array that is there.
template <class L>
void PredictAll(const L& model, const cf_call& call, const cf_table& rows,
                const cf_prediction& out) {
  std::span<double> probabilities;
  if (out.probabilities != nullptr) {
    if constexpr (PredictsProbabilities<L>) {
      const FeatureView view(rows);
      RequireShape(model, view, out);
      probabilities = {out.probabilities, static_cast<std::size_t>(out.n_rows * out.n_classes)};
      model.PredictProba(view, probabilities, Context(call));
    } else {
      throw Error(CF_E_UNSUPPORTED, "this learner does not predict probabilities");
    }
  }
  PredictPlain(model, call, rows, out, probabilities);
}

template <class L>
cf_status CF_CALL PredictProbaCall(const cf_call* call, const cf_model* model, const cf_table* rows,
                                   cf_prediction* out) {
  return Guard(call, [&] { PredictAll(ModelOf<L>(model), *call, *rows, *out); });
}

template <class L>
const cf_cap_proba* ProbaTable() {
  static const cf_cap_proba table{sizeof(cf_cap_proba), 0, &PredictProbaCall<L>};
  return &table;
}

template <class L>
std::int32_t CF_CALL ReplacesProbabilitiesCall(const cf_info*, const cf_arg* args,
                                               std::size_t n_args) {
  return L::ReplacesProbabilities(ParamsOf<L>(args, n_args)) ? 1 : 0;
}

template <class L>
cf_status CF_CALL PredictScoresCall(const cf_call* call, const cf_model* model,
                                    const cf_table* rows, cf_prediction* out) {
  return Guard(call, [&] { PredictPlain(ModelOf<L>(model), *call, *rows, *out); });
}

template <class L>
const cf_cap_scores* ScoresTable() {
  static_assert(PredictsScores<L>,
                "A learner with PredictScores needs: static bool ReplacesProbabilities(const "
                "Params&); void PredictScores(const FeatureView&, std::span<double> "
                "rows_x_classes, const Context&) const");
  static const cf_cap_scores table{sizeof(cf_cap_scores), 0, &ReplacesProbabilitiesCall<L>,
                                   &PredictScoresCall<L>};
  return &table;
}

}  // namespace internal
}  // namespace crossfold::plugin
