// The classes that a model can predict: those that training rows of a weight above 0 have.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "class_labels.h"
#include "crossfold_plugin.hpp"
#include "design.h"
#include "softmax.h"

namespace crossfold::bundled {

class PresentClasses {
 public:
  PresentClasses() = default;
  PresentClasses(const plugin::TrainingView& train, const Design& design) {
    for (std::int64_t c = 0; c < train.num_classes(); ++c) {
      all_names_.emplace_back(train.class_name(c));
    }
    all_weights_.resize(all_names_.size());
    for (std::size_t i = 0; i < design.labels.size(); ++i) {
      all_weights_[static_cast<std::size_t>(design.labels[i])] +=
          design.weights[static_cast<Index>(i)];
    }
    FindPresent();
  }

  // Classes of the dataset.
  std::size_t num_classes() const { return all_names_.size(); }
  // Total weight of the training rows of each of them.
  const std::vector<double>& all_weights() const { return all_weights_; }
  // REQUIRES: as many as there are classes, all >= 0.
  void set_all_weights(std::vector<double> weights) {
    all_weights_ = std::move(weights);
    FindPresent();
  }

  // Classes that are present; `k` below counts these.
  Index size() const { return static_cast<Index>(indices_.size()); }
  std::int32_t index(Index k) const { return indices_[static_cast<std::size_t>(k)]; }
  const std::string& name(Index k) const { return all_names_[Place(k)]; }
  double weight(Index k) const { return all_weights_[Place(k)]; }
  // Which present class the dataset's class `label` is. REQUIRES: it is present.
  Index place_of(std::int32_t label) const { return static_cast<Index>(PlaceOf(indices_, label)); }

  // Log scores of the present classes to probabilities of all classes. The scores become shares,
  // too.
  void Probabilities(std::span<double> scores, std::span<double> out) const {
    if (!std::isfinite(*std::max_element(scores.begin(), scores.end()))) {
      throw plugin::Error(CF_E_NUMERIC, "the scores of a row exceed the range of numbers");
    }
    Softmax(scores);
    std::fill(out.begin(), out.end(), 0.0);
    for (std::size_t k = 0; k < scores.size(); ++k) {
      out[static_cast<std::size_t>(indices_[k])] = scores[k];
    }
  }

  void Save(plugin::Writer& w) const {
    w.WriteSpan<double>(all_weights_);
    for (const std::string& name : all_names_) w.WriteText(name);
  }
  static PresentClasses Load(plugin::Reader& r) {
    PresentClasses classes;
    classes.all_weights_ = r.ReadVector<double>();
    for (const double weight : classes.all_weights_) {
      if (!(weight >= 0)) throw plugin::Error(CF_E_BAD_BLOB, "a class of the model has no weight");
      classes.all_names_.push_back(r.ReadText());
    }
    classes.FindPresent();
    return classes;
  }

 private:
  std::size_t Place(Index k) const { return static_cast<std::size_t>(index(k)); }

  void FindPresent() {
    indices_.clear();
    for (std::size_t c = 0; c < all_weights_.size(); ++c) {
      if (all_weights_[c] > 0) indices_.push_back(static_cast<std::int32_t>(c));
    }
  }

  std::vector<std::string> all_names_;
  std::vector<double> all_weights_;
  std::vector<std::int32_t> indices_;  // of the present ones, ascending
};

}  // namespace crossfold::bundled
