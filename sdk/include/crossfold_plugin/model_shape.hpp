// The rows that a model was made for. A learner or transform that has
//
//   cf::ModelShape shape() const { return {.n_features = n_features_, .n_classes = n_classes_}; }
//
// gets only such rows, and only arrays of that size to write to: every call is checked before the
// model sees it. Without shape() the model has to check by itself, because a host may load a model
// from anywhere and pass it any rows.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>

#include "crossfold_plugin/error.hpp"
#include "crossfold_plugin/learner.h"
#include "crossfold_plugin/view.hpp"

namespace crossfold::plugin {

struct ModelShape {
  static constexpr std::int64_t kAny = -1;  // the model checks the features itself, or uses none

  std::int64_t n_features = kAny;
  std::int64_t n_classes = 0;  // of the dataset; 0 = the model predicts values. Not of transforms
};

template <class T>
concept KnowsShape = requires(const T& t) {
  { t.shape() } -> std::same_as<ModelShape>;
};

namespace internal {

// Throws Error(CF_E_INVALID_ARGUMENT) if the rows have a different number of features.
template <class T>
void RequireFeatures(const T& model, std::int64_t n_features) {
  if constexpr (KnowsShape<T>) {
    const std::int64_t known = model.shape().n_features;
    if (known == ModelShape::kAny || n_features == known) return;
    throw Error(CF_E_INVALID_ARGUMENT, "the model is for " + std::to_string(known) +
                                           " features, the rows have " +
                                           std::to_string(n_features));
  }
}

// Throws Error(CF_E_INVALID_ARGUMENT) if the number of classes differs; 0 = values.
template <class T>
void RequireClasses(const T& model, std::int64_t n_classes) {
  if constexpr (KnowsShape<T>) {
    const std::int64_t known = model.shape().n_classes;
    if (n_classes == known) return;
    const auto text = [](std::int64_t n) {
      return n == 0 ? std::string("values") : std::to_string(n) + " classes";
    };
    throw Error(CF_E_INVALID_ARGUMENT,
                "the model predicts " + text(known) + ", asked for are " + text(n_classes));
  }
}

// Throws Error(CF_E_INVALID_ARGUMENT) if the model cannot predict such rows into such arrays.
template <class T>
void RequireShape(const T& model, const FeatureView& rows, const cf_prediction& out) {
  RequireFeatures(model, rows.num_features());
  if (out.n_rows != rows.num_rows()) {
    throw Error(CF_E_INVALID_ARGUMENT, "there are " + std::to_string(rows.num_rows()) +
                                           " rows and room for " + std::to_string(out.n_rows));
  }
  if (out.labels != nullptr || out.probabilities != nullptr) RequireClasses(model, out.n_classes);
  if (out.values != nullptr) RequireClasses(model, 0);
}

}  // namespace internal
}  // namespace crossfold::plugin
